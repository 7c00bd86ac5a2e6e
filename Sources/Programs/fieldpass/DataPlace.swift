import SignInService

/// Where a command finds the data of a server: in a folder that is named, or in the one that the
/// server's configuration names.
struct DataPlace {
  static let optionNames: Set<String> = ["--data", "--config"]
  private static let usual = ".data"

  private var data: String?
  private var config: String?
  /// Without a configuration, the demo's: its organizations are known then.
  var isDevelopment = false

  /// Takes the value of one of `optionNames`.
  mutating func set(_ option: String, to value: String) {
    if option == "--config" { config = value } else { data = value }
  }

  /// Takes an option and its value from the rest of a command line, or tells what is wrong.
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

  /// The folder, and the configuration if there is one.
  ///
  /// Mistakes elsewhere in the configuration do not matter to a command.
  func resolved() throws(StartFault) -> (folder: String, configuration: Configuration?) {
    guard let config else { return (data ?? Self.usual, isDevelopment ? .demo : nil) }
    // As in development, where neither the inbox nor a missing issuer is a mistake.
    let reading = try Setting.reading(config, isDevelopment: true)
    let needed = ["store", "organizations", "breached_passwords_file"]
    guard let configuration = reading.configuration,
      !needed.contains(where: { reading.hasMistake(at: $0) })
    else { throw StartFault(reading.mistakes) }
    switch configuration.store {
    case .sqlite(let directory): return (data ?? directory, configuration)
    }
  }
}
