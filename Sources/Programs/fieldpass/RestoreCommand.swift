import Glibc
import SQLStore
import SignInService

/// `fieldpass restore`: creates a data folder from a backup and its keys.
enum RestoreCommand {
  struct Options {
    var place = DataLocation()
    var file = ""
    var keys = ""

    static func parse(_ arguments: ArraySlice<String>) -> Result<Options, CommandMistake> {
      var options = Options()
      var rest = arguments
      while let name = rest.popFirst() {
        if name == "--keys" {
          guard let value = rest.popFirst() else {
            return .failure(CommandMistake("`--keys` needs a file"))
          }
          options.keys = value
        } else if name.hasPrefix("--") {
          if let mistake = options.place.take(name, from: &rest, of: "restore") {
            return .failure(mistake)
          }
        } else if options.file.isEmpty {
          options.file = name
        } else {
          return .failure(CommandMistake("`restore` takes one FILE"))
        }
      }
      guard !options.file.isEmpty, !options.keys.isEmpty else {
        return .failure(CommandMistake("`restore` needs a FILE and `--keys`"))
      }
      return .success(options)
    }
  }

  static let usage = """
    fieldpass restore FILE     create a data folder from a backup; it must be empty or absent

      --data DIR              the new data folder (default: .data)
      --config FILE           the server's configuration, which names that folder
      --keys FILE             the keys of the backup: the file that `backup --keys` wrote, or a copy
                              of the folder `keys`
    """

  /// Returns the exit status.
  static func run(_ options: Options) -> Int32 {
    do throws(StartFault) {
      let (file, bundle) = try opened(options)
      let data = try options.place.folderWithFile()
      let check: CopyCheck
      do throws(FileFault) {
        try refuseContent(of: data)
        check = try restore(file, bundle, into: data)
      } catch {
        throw StartFault(error)
      }
      let log = check.log
      LineWriter.standardOutput.write(
        "folder        \(data)\nschema        \(check.schema)\nsecurity log  \(log.text)")
      guard log.isBroken else { return ExitStatus.done }
      complain(
        "the folder is complete, but its security log is \(log.text)",
        hint: "run `fieldpass events verify --data \(data)`"
      )
      return ExitStatus.refused
    } catch {
      for (what, hint) in error.complaints { complain(what, hint: hint) }
      return ExitStatus.failed
    }
  }

  /// The backup and its keys.
  ///
  /// Only root may be able to read them, so they are opened before the command takes the rights of
  /// the folder's owner.
  private static func opened(
    _ options: Options
  ) throws(StartFault) -> (file: OpenedFile, keys: KeyBundle) {
    do throws(FileFault) { return (try OpenedFile(options.file), try keys(options.keys)) } catch {
      throw StartFault(error)
    }
  }

  /// A folder that the root folder of a file system always has.
  private static let ownOfFileSystem = "lost+found"

  private static func refuseContent(of data: String) throws(FileFault) {
    guard Files.exists(data) else { return }
    guard let names = Files.names(in: data) else { throw .system("cannot read", data) }
    guard names.allSatisfy({ $0 == ownOfFileSystem }) else {
      throw FileFault(
        "`\(data)` is not empty",
        hint: "name a new folder, or move this one away: nothing in it "
          + "is replaced"
      )
    }
  }

  /// Restores the folder completely, or removes everything that it has written.
  private static func restore(
    _ file: OpenedFile, _ bundle: KeyBundle, into data: String
  ) throws(FileFault) -> CopyCheck {
    let isNew = !Files.exists(data)
    try Files.makePrivateDirectory(data)
    try Files.takeOwner(of: data)
    var isComplete = false
    defer { if !isComplete { remove(data, with: bundle, isNew: isNew) } }
    try Files.makePrivateDirectory(data + "/keys")
    for key in bundle.files {
      try Files.createPrivate(data + "/keys/" + key.name, key.bytes)
    }
    let draft = data + "/fieldpass.db.part"
    try Files.copyPrivate(file, to: draft)
    defer { unlink(draft) }
    let check: CopyCheck
    // Reads every key to check that the files contain keys.
    _ = try KeyFiles.signingKeys(in: data)
    let storeKeys = try KeyFiles.storeKeys(in: data)
    do throws(StartFault) {
      check = try CopyCheck(draft, named: file.path, keys: storeKeys)
    } catch {
      let first = error.complaints.first
      throw FileFault(first?.what ?? "the backup is unusable", hint: first?.hint ?? "")
    }
    do throws(StoreFault) { try SQLiteBackup.skipChanges(in: draft) } catch {
      throw FileFault("the change numbers could not be set", hint: "\(error)")
    }
    try Files.publish(draft, as: data + "/fieldpass.db")
    isComplete = true
    return check
  }

  private static func keys(_ path: String) throws(FileFault) -> KeyBundle {
    var status = stat()
    guard stat(path, &status) == 0 else { throw .system("cannot read", path) }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      return try KeyBundle(reading: try Files.readPrivate(path), of: path)
    }
    return try KeyBundle(inFolder: path)
  }

  private static func remove(_ data: String, with bundle: KeyBundle, isNew: Bool) {
    for file in bundle.files { unlink(data + "/keys/" + file.name) }
    rmdir(data + "/keys")
    unlink(data + "/fieldpass.db")
    if isNew { rmdir(data) }
  }
}
