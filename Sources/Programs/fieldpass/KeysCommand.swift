import SQLiteStore
import SignInService
import Threads

/// `fieldpass keys create`: goes on without keys that are lost, once the operator accepts what is
/// lost with them.
enum KeysCommand {
  struct Options {
    var data = ".data"
    var acceptsLoss = false

    static func parse(_ arguments: ArraySlice<String>) -> Result<Options, CommandMistake> {
      var options = Options()
      var rest = arguments
      guard rest.popFirst() == "create" else {
        return .failure(CommandMistake("`keys` takes `create`"))
      }
      while let name = rest.popFirst() {
        switch name {
        case "--accept-loss": options.acceptsLoss = true
        case "--data":
          guard let value = rest.popFirst() else {
            return .failure(CommandMistake("`--data` needs a value"))
          }
          options.data = value
        default: return .failure(CommandMistake("`keys create` does not take `\(name)`"))
        }
      }
      return .success(options)
    }
  }

  static let usage = """
    fieldpass keys create      make the keys that a data folder lacks, when no backup has them

      --data DIR              the server's data folder (default: .data)
      --accept-loss           do it; without this option, only tell what is lost

    """

  /// Answers the exit status.
  static func run(_ options: Options) -> Int32 {
    let data = options.data
    do throws(StartFault) {
      guard Files.exists(data + "/fieldpass.db") else {
        throw StartFault(
          "there is no database in `\(data)`", hint: "name the server's folder with --data"
        )
      }
      let lock = try ServerLock.taken(on: data)
      // Nothing else may make keys until this is done.
      defer { withExtendedLifetime(lock) {} }
      switch KeyFiles.plan(for: data) {
      case .read:
        return refused("no key is missing in `\(data)/keys`", hint: "nothing is to be done")
      case .create:
        return refused(
          "the store in `\(data)` is empty", hint: "start the server: it makes its keys by itself"
        )
      case .refuse(let missing):
        tellLosses(missing)
        guard options.acceptsLoss else {
          return refused(
            "nothing was changed",
            hint: "restore `\(data)/keys` from a backup, or add --accept-loss to lose all this"
          )
        }
        do throws(FileFault) { try KeyFiles.create(missing, in: data) } catch {
          throw StartFault(error)
        }
        if missing.contains(.master) { try linkLog(in: data) }
        for file in missing {
          LineWriter.standardOutput.write("created \(KeyFiles.path(of: file, in: data))")
        }
        return ExitStatus.done
      }
    } catch {
      for (what, hint) in error.complaints { complain(what, hint: hint) }
      return ExitStatus.failed
    }
  }

  /// Links the security log with the new key: a server refuses a store whose log names another.
  private static func linkLog(in data: String) throws(StartFault) {
    let keys: StoreKeys
    do throws(FileFault) { keys = try KeyFiles.storeKeys(in: data) } catch {
      throw StartFault(error)
    }
    let store = try RunningServer.openAnyway(data, keys: keys)
    defer { store.close() }
    let now = MachineClock().now()
    let isLinked = Blocking.run { () -> Bool in
      do throws(StoreFault) {
        try await store.transact { (transaction) throws(StoreFault) in
          try transaction.keyLog(at: now)
        }
        return true
      } catch {
        return false
      }
    }
    if !isLinked {
      throw StartFault(
        "the new key was made, and the security log could not be linked with it",
        hint: "check the disk, move `\(KeyFiles.path(of: .master, in: data))` away, and try again"
      )
    }
  }

  private static func tellLosses(_ missing: [KeyFile]) {
    say("new keys cannot open what was made with the old ones. Lost for good:")
    for loss in missing.flatMap(\.losses) { LineWriter.standardError.write("  - \(loss)") }
    if missing.contains(.master) {
      say(
        "a new password comes from Forgot Password, from `fieldpass account reset` with "
          + "--password-file, or from an invitation after such a reset")
    }
  }

  private static func refused(_ what: String, hint: String) -> Int32 {
    complain(what, hint: hint)
    return ExitStatus.refused
  }
}
