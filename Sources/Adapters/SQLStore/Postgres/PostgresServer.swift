public import SignInModel
public import SignInService

/// Where a PostgreSQL database is, and how to connect to it.
public struct PostgresServer: Sendable {
  /// How a connection is encrypted.
  public enum Encryption: Equatable, Sendable {
    /// Not at all; only for a database on the same machine.
    case none
    /// With a certificate for the host name, from an authority in the file, or from an authority
    /// that the operating system trusts if there is no file.
    case verified(authorities: String?)
  }

  /// The user of the database.
  public struct Credential: Sendable {
    /// Reads the password; `nil` if the database needs none.
    public typealias ReadPassword = @Sendable () throws(StoreFault) -> Secret?

    public let user: String
    /// Reads the password for each connection, so that this program keeps no copy of it.
    public let readPassword: ReadPassword

    public init(user: String, readPassword: @escaping ReadPassword) {
      self.user = user
      self.readPassword = readPassword
    }
  }

  /// A host name, an address, the folder of a socket, or several of them with commas between them.
  ///
  /// Of several, the first one that accepts writes is used.
  public let host: String
  public let port: Int64
  public let database: String
  public let credential: Credential
  public let encryption: Encryption
  /// The schema with the tables.
  var schema = "fieldpass"
  /// Counts the round trips of all connections; only in tests.
  var roundTrips: RoundTripCount?

  public init(
    host: String, port: Int64, database: String, credential: Credential, encryption: Encryption
  ) {
    self.host = host
    self.port = port
    self.database = database
    self.credential = credential
    self.encryption = encryption
  }

  /// The server without the password, for messages.
  var name: String { "\(host):\(port)/\(database)" }

  /// The keywords and values of a connection without its password, as libpq takes them.
  func keywords(_ limits: PostgresLimits) -> [(String, String)] {
    var keywords = [
      ("host", host), ("port", String(port)), ("dbname", database), ("user", credential.user),
      ("application_name", "fieldpass"), ("client_encoding", "UTF8"),
      // After a failover, an old address may lead to a database that only can be read.
      ("target_session_attrs", "read-write"),
      ("connect_timeout", String(limits.connectSeconds)),
      ("keepalives_idle", "10"), ("keepalives_interval", "5"), ("keepalives_count", "3"),
      ("tcp_user_timeout", String(limits.statementMilliseconds * 2)),
    ]
    switch encryption {
    case .none: keywords.append(("sslmode", "disable"))
    case .verified(let authorities):
      keywords.append(("sslmode", "verify-full"))
      keywords.append(("ssl_min_protocol_version", "TLSv1.2"))
      keywords.append(("sslrootcert", authorities ?? "/etc/ssl/certs/ca-certificates.crt"))
    }
    return keywords
  }
}

extension PostgresServer {
  /// Throws if the database has another encoding than UTF-8.
  ///
  /// Such a database refuses some names, or stores bytes without a meaning.
  func checkEncoding(_ connection: PostgresConnection) throws(StoreFault) {
    let encoding = try connection.first("SELECT current_setting('server_encoding')") { row in
      row.text()
    }
    guard encoding != "UTF8" else { return }
    throw .unusable(
      "the database \(database) has the encoding \(encoding ?? "?"), not UTF8: create it with "
        + "`CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0`")
  }
}
