import JSONText
import SignInService
import TextMessengers

/// The checked values of the command line and the configuration file.
struct ServerSettings {
  let configuration: Configuration
  let place: DataPlace
  let web: String
  let isDevelopment: Bool
  /// The configuration as it is in its file; empty for the demo.
  let members: [JSONMember]
  /// Warnings for the operator at every start.
  let warnings: [String]

  var data: String { place.folder }

  /// Reads the configuration from a file.
  ///
  /// Relative paths in it are relative to the file's folder.
  static func read(
    _ path: String, isDevelopment: Bool
  ) throws(StartFault) -> Configuration {
    let reading = try reading(path, isDevelopment: isDevelopment)
    guard let configuration = reading.configuration, reading.mistakes.isEmpty else {
      throw StartFault(reading.mistakes)
    }
    return configuration
  }

  /// The members of a configuration file that was read before.
  static func members(_ path: String) -> [JSONMember] {
    do {
      return try JSONReader.read(FileText.withoutMark(try Files.read(path))).objectMembers ?? []
    } catch {
      // The reader of the configuration has reported the reason.
      return []
    }
  }

  /// Reads as much of the configuration as possible, together with the mistakes.
  static func reading(
    _ path: String, isDevelopment: Bool
  ) throws(StartFault) -> ConfigurationReading {
    let bytes: [UInt8]
    do throws(FileFault) { bytes = FileText.withoutMark(try Files.read(path)) } catch {
      throw StartFault(error)
    }
    return Configuration.read(
      bytes, development: isDevelopment, stores: StoreKinds.all, messengers: MessengerKinds.all,
      folder: Files.folder(of: path)
    )
  }
}
