import JSONText
import SignInModel

extension Configuration {
  /// The server of a database that several machines use.
  public struct DatabaseServer: Equatable, Sendable {
    static let standardPort: Int64 = 5432

    /// A host name, an address, or the folder of a socket.
    public let host: String
    public let port: Int64
    public let database: String
    public let user: String
    /// `nil` if the server trusts the user of the operating system.
    public let password: SecretLocation?
    /// Whether connections are encrypted and the server's certificate is checked.
    public let usesTLS: Bool
    /// The certificates of the authorities; `nil` for those of the operating system.
    public let authoritiesFile: String?

    /// The key that allows an unencrypted connection to another machine.
    static let allowPlaintext = "allow_plaintext"

    /// Whether the connection goes to another machine without TLS.
    ///
    /// A host that begins with a slash is the folder of a socket. There may be several hosts, with
    /// commas between them.
    var isUnencrypted: Bool {
      !usesTLS
        && !host.split(separator: ",").allSatisfy { $0.hasPrefix("/") || Host.isLoopback($0) }
    }
  }
}

extension ConfigurationShape {
  /// A folder as text, or an object for a server.
  static func store(_ kinds: [StoreKind]) -> ConfigurationShape {
    let servers = kinds.filter { $0.form == .server }.map { kind in
      ConfigurationKind(
        name: kind.name, use: .everywhere, members: serverMembers, secret: "password",
        isSecretRequired: false)
    }
    let location = TextFormat.storeLocation(kinds)
    return .textOr(location, .kinds(servers, whenNone: location.remedy))
  }

  private static let serverMembers: [ConfigurationMember] = [
    .required(
      "host", .text(.path), "The name or address of the server, or the folder of its socket"),
    .optional(
      "port", .number(portLimits), "The port of the server",
      standard: .int(Configuration.DatabaseServer.standardPort)),
    .required("database", .text(.line), "The name of the database"),
    .required("user", .text(.line), "The name of the database user"),
    .optional(
      "tls", .flag, "Whether connections are encrypted and the certificate is checked",
      standard: .bool(true)),
    .optional(
      Configuration.DatabaseServer.allowPlaintext, .flag,
      "Send all data and the password unencrypted to a database on another machine",
      standard: .bool(false)),
    .optional(
      "authorities_file", .text(.path),
      "The certificates of the authorities that signed the server's certificate"),
    .required(
      "folder", .text(.path), "The folder of this machine for the keys and the used proofs"),
  ]
}

extension ConfigurationReader {
  /// The location of a store that an object describes.
  func storeServer(_ json: JSON) -> Configuration.StoreLocation? {
    guard let kind = json["kind"]?.text, let folder = json.validText("folder", .path) else {
      return nil
    }
    var port = Configuration.DatabaseServer.standardPort
    json.read("port", ConfigurationShape.portLimits, into: &port)
    let password =
      json.validText("password_file", .path).map { Configuration.SecretLocation.file(resolved($0)) }
      ?? json.validText("password_env", .environmentVariable).map { .environment($0) }
    let server = Configuration.DatabaseServer(
      host: json.string("host"), port: port, database: json.string("database"),
      user: json.string("user"), password: password, usesTLS: json["tls"]?.flag ?? true,
      authoritiesFile: json.validText("authorities_file", .path).map(resolved))
    return Configuration.StoreLocation(kind: kind, folder: resolved(folder), server: server)
  }
}

extension ConfigurationRules {
  /// Everyone on the way could read and change what an unencrypted connection carries.
  func checkDatabase(_ checker: inout ConfigurationChecker) {
    let key = Configuration.DatabaseServer.allowPlaintext
    guard let server = configuration.store?.server else { return }
    let isAllowed = root["store"]?[key]?.flag == true
    if server.isUnencrypted, !isAllowed {
      checker.note(
        "store.tls", "sends all data unencrypted to another machine",
        "remove it, or add \"\(key)\": true if the way to the database is private")
    } else if isAllowed, !server.isUnencrypted {
      checker.note(
        "store.\(key)", "has no use with TLS or a database on this machine", "remove it")
    }
  }
}
