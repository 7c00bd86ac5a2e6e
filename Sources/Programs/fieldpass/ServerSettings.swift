import Glibc
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

  /// The members of the bytes of a configuration.
  static func members(in bytes: [UInt8]) -> [JSONMember] {
    do throws(JSONMalformed) {
      return try JSONReader.read(bytes).objectMembers ?? []
    } catch {
      // The reader of the configuration has reported the reason.
      return []
    }
  }

  static func bytes(of path: String) throws(StartFault) -> [UInt8] {
    do throws(FileFault) { return FileText.withoutMark(try Files.read(path)) } catch {
      throw StartFault(error)
    }
  }

  /// Reads as much of the configuration as possible, together with the mistakes.
  static func reading(
    _ path: String, isDevelopment: Bool
  ) throws(StartFault) -> ConfigurationReading {
    reading(try bytes(of: path), at: path, isDevelopment: isDevelopment)
  }

  /// Reads as much of the configuration in the bytes of a file as possible.
  ///
  /// From then on, `authorities_file` decides which servers the calls of this process trust.
  static func reading(
    _ bytes: [UInt8], at path: String, isDevelopment: Bool
  ) -> ConfigurationReading {
    let reading = Configuration.read(
      bytes, development: isDevelopment, stores: StoreKinds.all, messengers: MessengerKinds.all,
      folder: Files.folder(of: path)
    )
    if let authorities = reading.configuration?.authoritiesFile {
      // OpenSSL and the HTTP client read this variable for each connection.
      setenv("SSL_CERT_FILE", authorities, 1)
    }
    return reading
  }
}
