import SignInService
import TextMessengers

/// What the command line and the configuration file say together, checked.
struct Setting {
  let configuration: Configuration
  let data: String
  let web: String
  let isDevelopment: Bool
  /// What an operator should be reminded of at every start.
  let warnings: [String]

  /// The configuration in a file; its relative paths are taken from the file's folder.
  static func read(
    _ path: String, isDevelopment: Bool
  ) throws(StartFault) -> Configuration {
    let reading = try reading(path, isDevelopment: isDevelopment)
    guard let configuration = reading.configuration, reading.mistakes.isEmpty else {
      throw StartFault(reading.mistakes)
    }
    return configuration
  }

  /// The same, with what could be read in spite of mistakes.
  static func reading(
    _ path: String, isDevelopment: Bool
  ) throws(StartFault) -> ConfigurationReading {
    let bytes: [UInt8]
    do throws(FileFault) { bytes = try Files.read(path) } catch { throw StartFault(error) }
    return Configuration.read(
      bytes, development: isDevelopment, messengers: MessengerKinds.all,
      folder: Files.folder(of: path)
    )
  }
}
