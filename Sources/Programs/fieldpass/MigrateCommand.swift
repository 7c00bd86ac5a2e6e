import Glibc
import SQLStore
import SignInService
import Threads

/// `fieldpass migrate`: copies the database of a data folder into the PostgreSQL database of a
/// configuration.
///
/// The data folder is not changed.
enum MigrateCommand {
  struct Options {
    /// The data folder with the file of the database.
    var data = DataLocation.usual
    /// The configuration with the PostgreSQL database.
    var config = ""

    static func parse(_ arguments: ArraySlice<String>) -> Result<Options, CommandMistake> {
      var options = Options()
      var rest = arguments
      while let name = rest.popFirst() {
        guard DataLocation.optionNames.contains(name) else {
          return .failure(CommandMistake("`migrate` does not take `\(name)`"))
        }
        guard let value = rest.popFirst(), !value.isEmpty else {
          return .failure(CommandMistake("`\(name)` needs a value"))
        }
        if name == "--data" { options.data = value } else { options.config = value }
      }
      guard !options.config.isEmpty else {
        return .failure(CommandMistake("`migrate` needs `--config`"))
      }
      return .success(options)
    }
  }

  static let usage = """
    fieldpass migrate          copy the database of a data folder into an empty PostgreSQL database,
                               and compare the two; stop the server of the data folder first

      --data DIR              the data folder (default: .data); it is not changed
      --config FILE           the configuration that names the PostgreSQL database
    """

  /// Returns the exit status: 2 if the copy was made and its security log is broken.
  static func run(_ options: Options) -> Int32 {
    do throws(StartFault) {
      var location = DataLocation()
      location.set("--config", to: options.config)
      let place = try location.named().place
      do throws(FileFault) { try Files.takeOwner(of: options.data) } catch {
        throw StartFault(error)
      }
      try DataPlace(folder: options.data, server: nil).checkDatabase()
      guard let server = place.server else {
        throw StartFault(
          "the configuration names no PostgreSQL database",
          hint: "set `store` as `docs/operate/postgresql.md` says")
      }
      let keys: StoreKeys
      do throws(FileFault) { keys = try KeyFiles.storeKeys(in: options.data) } catch {
        throw StartFault(error)
      }
      try copy(options.data, to: DataPlace.postgresServer(server))
      return try check(place, keys, options)
    } catch {
      for (what, hint) in error.complaints { complain(what, hint: hint) }
      return ExitStatus.failed
    }
  }

  private static func copy(_ data: String, to server: PostgresServer) throws(StartFault) {
    do throws(StoreFault) {
      try StoreCopy.make(of: data, in: server) { table in
        LineWriter.standardOutput.write("\(table.name): \(counted(Int(table.count), "record"))")
      }
    } catch {
      switch error {
      case .unusable(let why):
        throw StartFault(
          "nothing was copied: \(why)", hint: "use an empty database and this version of the server"
        )
      case .unavailable(let why):
        throw StartFault(
          "nothing was copied: \(why)", hint: "stop every server and command that uses `\(data)`")
      case .conflict: throw StartFault("nothing was copied", hint: "use an empty database")
      }
    }
  }

  /// Checks the security log of the copy, and says what to do with the keys.
  private static func check(
    _ place: DataPlace, _ keys: StoreKeys, _ options: Options
  ) throws(StartFault) -> Int32 {
    let store = try place.openWithAnyKey(keys)
    defer { store.close() }
    let outcome = BlockingCall.run { () -> Result<LogCheck, StoreFault> in
      do throws(StoreFault) { return .success(try await LogCheck(store, keys)) } catch {
        return .failure(error)
      }
    }
    let check: LogCheck
    do throws(StoreFault) { check = try outcome.get() } catch {
      throw StartFault("the copy cannot be read", hint: "check the database server")
    }
    let log = check.report
    LineWriter.standardOutput.write(
      """
      security log: \(log.text)
      The copy is complete. Give every server a copy of `\(options.data)/keys` in the folder of its
      `store`, and do not start a server with `\(options.data)` again.
      """)
    return log.isBroken ? ExitStatus.refused : ExitStatus.done
  }
}
