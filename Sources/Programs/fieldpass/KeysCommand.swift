import SQLStore
import SignInModel
import SignInService
import SystemPorts
import Threads

/// `fieldpass keys`: changes the keys of a data folder.
///
/// `create` replaces lost keys after the operator has accepted which data is lost with them.
/// `rotate` starts a new signing key.
enum KeysCommand {
  enum Task {
    case create(acceptsLoss: Bool)
    case rotate(KeyRotation)
  }

  struct Options {
    var task: Task
    var place = DataLocation()

    static func parse(_ arguments: ArraySlice<String>) -> Result<Options, CommandMistake> {
      var rest = arguments
      switch rest.popFirst() {
      case "create": return parseCreate(rest)
      case "rotate": return parseRotate(rest)
      default: return .failure(CommandMistake("`keys` takes `create` or `rotate`"))
      }
    }

    private static func parseCreate(
      _ arguments: ArraySlice<String>
    ) -> Result<Options, CommandMistake> {
      var options = Options(task: .create(acceptsLoss: false))
      var rest = arguments
      while let name = rest.popFirst() {
        if name == "--accept-loss" {
          options.task = .create(acceptsLoss: true)
        } else if let mistake = options.place.take(name, from: &rest, of: "keys create") {
          return .failure(mistake)
        }
      }
      return .success(options)
    }

    private static func parseRotate(
      _ arguments: ArraySlice<String>
    ) -> Result<Options, CommandMistake> {
      var rotation = KeyRotation()
      var place = DataLocation()
      var rest = arguments
      while let name = rest.popFirst() {
        if name == "--distrust-old" {
          rotation.distrustsOld = true
        } else if name == "--publish-seconds" {
          guard let seconds = rest.popFirst().flatMap({ KeyRotation.seconds($0) }) else {
            return .failure(CommandMistake("`--publish-seconds` takes \(KeyRotation.range)"))
          }
          rotation.publishedSeconds = seconds
        } else if let mistake = place.take(name, from: &rest, of: "keys rotate") {
          return .failure(mistake)
        }
      }
      if rotation.distrustsOld, rotation.publishedSeconds != nil {
        return .failure(
          CommandMistake("`--distrust-old` and `--publish-seconds` exclude each other"))
      }
      return .success(Options(task: .rotate(rotation), place: place))
    }
  }

  static let usage = """
    fieldpass keys create      create the keys that a data folder lacks, if no backup has them

      --data DIR              the server's data folder (default: .data)
      --config FILE           the server's configuration, which names that folder and the database
      --accept-loss           create them; without this option, only print what is lost

    fieldpass keys rotate      sign tokens with a new key, also while a server runs; every session
                               continues

      --data DIR              the server's data folder (default: .data)
      --config FILE           the server's configuration, which names that folder
      --publish-seconds N     publish the new key N seconds before it signs, \(KeyRotation.range)
                              (default: \(SigningKeys.publishedSeconds))
      --distrust-old          for a leaked key: the new key signs at once, and tokens of earlier
                              keys are refused; apps request new tokens by themselves

    """

  /// Returns the exit status.
  static func run(_ options: Options) -> Int32 {
    do throws(StartFault) {
      let place = try options.place.withDatabase()
      switch options.task {
      case .create(let acceptsLoss): return try create(at: place, acceptsLoss: acceptsLoss)
      case .rotate(let rotation): return try rotation.run(at: place)
      }
    } catch {
      for (what, hint) in error.complaints { complain(what, hint: hint) }
      return ExitStatus.failed
    }
  }

  private static func create(
    at place: DataPlace, acceptsLoss: Bool
  ) throws(StartFault) -> Int32 {
    let data = place.folder
    let lock = try ServerLock.taken(on: data)
    // The lock prevents a server from creating keys until this command ends.
    defer { withExtendedLifetime(lock) {} }
    switch try KeyFiles.plan(of: place) {
    case .read:
      return refused("no key is missing in `\(data)/keys`", hint: "nothing to do")
    case .create:
      return refused(
        "the store in \(place.databaseName) is empty", hint: "start the server: it creates its keys"
      )
    case .refuse(let missing):
      // The signing keys in a database are sealed with the master key.
      reportLosses(place.server == nil ? missing : KeyFile.allCases)
      guard acceptsLoss else {
        return refused(
          "nothing was changed",
          hint: "restore `\(data)/keys` from a backup, or add --accept-loss to accept this loss"
        )
      }
      if place.server != nil { try checkClock(at: place) }
      if missing.contains(.master), let refused = try MasterKeyReplacement(at: place).run() {
        return refused
      }
      do throws(FileFault) {
        try KeyFiles.create(missing.filter { $0 != .master }, in: data)
      } catch {
        throw StartFault(error)
      }
      for file in missing {
        LineWriter.standardOutput.write("created \(KeyFiles.path(of: file, in: data))")
      }
      return ExitStatus.done
    }
  }

  /// The events of the new key have the time of this machine.
  private static func checkClock(at place: DataPlace) throws(StartFault) {
    let store = try place.openWithAnyKey(nil)
    defer { store.close() }
    try RunningServer.checkClock(of: store, place, MachineClock())
  }

  private static func reportLosses(_ missing: [KeyFile]) {
    say("New keys cannot open data that was made with the old keys. You lose permanently:")
    for loss in missing.flatMap(\.losses) { LineWriter.standardError.write("  - \(loss)") }
    if missing.contains(.master) {
      say(
        "To set a new password, use Forgot Password or `fieldpass account reset` with "
          + "--password-file, or send an invitation after such a reset.")
    }
  }

  static func refused(_ what: String, hint: String) -> Int32 {
    complain(what, hint: hint)
    return ExitStatus.refused
  }
}
