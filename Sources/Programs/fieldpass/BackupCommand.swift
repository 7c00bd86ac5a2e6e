import Glibc
import SQLStore
import SignInService

/// `fieldpass backup`: copies the database of a data folder and checks the copy.
///
/// A server may run at the same time.
///
/// The keys go into a second file, so that the two files can be stored in different places.
/// Together they contain everything that an attacker needs.
enum BackupCommand {
  struct Options {
    var place = DataLocation()
    var file = ""
    /// The file for the keys; `nil` if they are not copied.
    var keys: String?

    static func parse(_ arguments: ArraySlice<String>) -> Result<Options, CommandMistake> {
      var options = Options()
      var rest = arguments
      while let name = rest.popFirst() {
        if name == "--keys" {
          guard let value = rest.popFirst(), !value.isEmpty else {
            return .failure(CommandMistake("`--keys` needs a file"))
          }
          options.keys = value
        } else if name.hasPrefix("--") {
          if let mistake = options.place.take(name, from: &rest, of: "backup") {
            return .failure(mistake)
          }
        } else if options.file.isEmpty {
          options.file = name
        } else {
          return .failure(CommandMistake("`backup` takes one FILE"))
        }
      }
      guard !options.file.isEmpty else { return .failure(CommandMistake("`backup` needs a FILE")) }
      guard options.file != options.keys else {
        return .failure(CommandMistake("the keys need a file of their own"))
      }
      return .success(options)
    }
  }

  static let usage = """
    fieldpass backup FILE      copy the database into a new file, also while the server runs, and
                               check the copy

      --data DIR              the server's data folder (default: .data)
      --config FILE           the server's configuration, which names that folder
      --keys FILE             copy the keys too, into a second new file. A backup cannot be used
                              without its keys, and FILE does not contain them. Store the two
                              files in different places
    """

  /// Returns the exit status: 2 if the copy was made and its security log is broken.
  static func run(_ options: Options) -> Int32 {
    do throws(StartFault) {
      let outputs = try outputs(options)
      let data = try options.place.folderWithFile()
      try DataPlace(folder: data, server: nil).checkDatabase()
      let keys: StoreKeys
      let bundle: KeyBundle
      do throws(FileFault) {
        keys = try KeyFiles.storeKeys(in: data)
        bundle = try KeyBundle(of: data)
      } catch {
        throw StartFault(error)
      }
      let check = try copy(data, to: outputs.database, keys)
      if let file = outputs.keys {
        do throws(FileFault) { try write(bundle, to: file, data) } catch { throw StartFault(error) }
      }
      return report(check, options, data)
    } catch {
      for (what, hint) in error.complaints { complain(what, hint: hint) }
      return ExitStatus.failed
    }
  }

  private static func outputs(
    _ options: Options
  ) throws(StartFault) -> (database: OutputFile, keys: OutputFile?) {
    do throws(FileFault) {
      let database = try OutputFile(options.file)
      guard let path = options.keys else { return (database, nil) }
      return (database, try OutputFile(path))
    } catch {
      throw StartFault(error)
    }
  }

  /// The copy gets its final name only after it is complete and checked.
  private static func copy(
    _ data: String, to file: OutputFile, _ keys: StoreKeys
  ) throws(StartFault) -> CopyCheck {
    let draft = file.draft(in: data)
    do throws(FileFault) {
      // Created here with restricted access rights, so that others can never read the file.
      try Files.createNew(draft)
    } catch {
      throw StartFault(error)
    }
    defer { unlink(draft) }
    do throws(StoreFault) { try SQLiteBackup.make(of: data, at: draft) } catch {
      switch error {
      case .unusable(let why), .unavailable(let why):
        throw StartFault(
          "the database could not be copied: \(why)", hint: "check the disks, and try again")
      case .conflict:
        throw StartFault("the database could not be copied", hint: "check the disks")
      }
    }
    let check = try CopyCheck(draft, named: file.path, keys: keys)
    do throws(FileFault) {
      try Files.makeDurable(draft)
      try file.publish(draft)
    } catch {
      throw StartFault(error)
    }
    return check
  }

  private static func write(
    _ bundle: KeyBundle, to file: OutputFile, _ data: String
  ) throws(FileFault) {
    let draft = file.draft(in: data)
    try Files.createNew(draft, bundle.bytes)
    defer { unlink(draft) }
    let written = try KeyBundle(reading: try Files.readPrivate(draft), of: draft)
    guard written == bundle else {
      throw FileFault("`\(file.path)` was not written correctly", hint: "check the disk")
    }
    try file.publish(draft)
  }

  private static func report(_ check: CopyCheck, _ options: Options, _ data: String) -> Int32 {
    var lines = ["database      \(options.file)"]
    if let keys = options.keys { lines.append("keys          \(keys)") }
    let log = check.log
    lines += ["schema        \(check.schema)", "security log  \(log.text)"]
    LineWriter.standardOutput.write(lines.joined(separator: "\n"))
    if options.keys == nil {
      LineWriter.standardError.write(
        "The keys are not in this backup, and you cannot use it without them: "
          + "keep a copy of `\(data)/keys` in another place, or add --keys FILE.")
    }
    guard log.isBroken else { return ExitStatus.done }
    complain(
      "the copy is complete, but its security log is \(log.text)",
      hint: "run `fieldpass events verify --data \(data)`"
    )
    return ExitStatus.refused
  }
}
