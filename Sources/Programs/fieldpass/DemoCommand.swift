import SQLStore
import SignInService
import SignInWire
import Threads

/// `fieldpass demo remove`: prepares a folder that was used with `--development` for production.
enum DemoCommand {
  struct Options {
    var place = DataLocation()

    static func parse(_ arguments: ArraySlice<String>) -> Result<Options, CommandMistake> {
      var options = Options()
      var rest = arguments
      guard rest.popFirst() == "remove" else {
        return .failure(CommandMistake("`demo` takes `remove`"))
      }
      while let name = rest.popFirst() {
        if let mistake = options.place.take(name, from: &rest, of: "demo remove") {
          return .failure(mistake)
        }
      }
      return .success(options)
    }
  }

  static let usage = """
    fieldpass demo remove      remove the demo accounts, their sessions and data, and the messages
                               of the development inbox; no server may run on the folder

      --data DIR              the server's data folder (default: .data)
      --config FILE           the server's configuration, which names that folder

    """

  /// Returns the exit status.
  static func run(_ options: Options) -> Int32 {
    do throws(StartFault) {
      let place = try options.place.withDatabase()
      let data = place.folder
      let lock = try ServerLock.taken(on: data)
      defer { withExtendedLifetime(lock) {} }
      let (world, store) = try AccountAdministration.open(place)
      defer { AccountAdministration.close(store, of: world) }
      let removal: DemoRemoval
      do throws(Refusal) {
        removal = try BlockingCall.run { () throws(Refusal) in
          try await removeDemo(rules: .operatorCommand, in: world)
        }
      } catch {
        return AccountAdministration.refused(error)
      }
      do throws(FileFault) { try Files.remove(data + "/inbox.jsonl") } catch {
        throw StartFault(error)
      }
      LineWriter.standardOutput.write(
        "removed \(removal.accounts) demo accounts, \(removal.records) records in all")
      return ExitStatus.done
    } catch {
      for (what, hint) in error.complaints { complain(what, hint: hint) }
      return ExitStatus.failed
    }
  }
}
