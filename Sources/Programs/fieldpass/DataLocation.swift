import SignInService

/// Finds the data folder of a server for a command: `--data` names it, or the server's
/// configuration does.
struct DataLocation {
  static let optionNames: Set<String> = ["--data", "--config"]
  static let usual = ".data"

  private var data: String?
  private var config: String?
  /// Without a configuration file, use the configuration of the demo and its organizations.
  var isDevelopment = false

  /// Sets the value of one of `optionNames`.
  mutating func set(_ option: String, to value: String) {
    if option == "--config" { config = value } else { data = value }
  }

  /// Reads an option and its value from the rest of a command line.
  ///
  /// Returns a mistake if it is not valid.
  mutating func take(
    _ option: String, from rest: inout ArraySlice<String>, of command: String
  ) -> CommandMistake? {
    guard Self.optionNames.contains(option) else {
      return CommandMistake("`\(command)` does not take `\(option)`")
    }
    guard let value = rest.popFirst() else { return CommandMistake("`\(option)` needs a value") }
    set(option, to: value)
    return nil
  }

  /// The data folder, and the configuration if there is one.
  ///
  /// If this process runs as root, it takes the rights of the owner of the folder, for good. So
  /// call this before the folder is used, and after files that only root may read were read.
  func resolved() throws(StartFault) -> (place: DataPlace, configuration: Configuration?) {
    let found = try named()
    do throws(FileFault) { try Files.takeOwner(of: found.place.folder) } catch {
      throw StartFault(error)
    }
    return found
  }

  /// The data folder, and the configuration if there is one, with the rights that this process has.
  ///
  /// Mistakes in other parts of the configuration are ignored.
  func named() throws(StartFault) -> (place: DataPlace, configuration: Configuration?) {
    guard let config else {
      return (DataPlace(folder: data ?? Self.usual, server: nil), isDevelopment ? .demo : nil)
    }
    // Reads as in development, so that the inbox and a missing issuer are not mistakes.
    let reading = try ServerSettings.reading(config, isDevelopment: true)
    let needed = ["store", "organizations", "breached_passwords_file"]
    guard let configuration = reading.configuration,
      !needed.contains(where: { reading.hasMistake(at: $0) })
    else { throw StartFault(reading.mistakes) }
    let folder = data ?? configuration.store?.folder ?? Self.usual
    return (DataPlace(folder: folder, server: configuration.store?.server), configuration)
  }

  func withDatabase() throws(StartFault) -> DataPlace {
    let place = try resolved().place
    try place.checkDatabase()
    return place
  }

  /// The data folder, for a command that reads or writes the file of the database.
  func folderWithFile() throws(StartFault) -> String {
    let place = try resolved().place
    guard place.server == nil else {
      throw StartFault(
        "\(place.databaseName) is not a file",
        hint: "use the tools of the database, such as pg_dump, and copy `\(place.folder)/keys`")
    }
    return place.folder
  }
}
