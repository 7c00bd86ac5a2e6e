/// Where a server listens, what it presents, and every limit it keeps.
public struct HTTPServerConfiguration: Sendable {
  public struct TLS: Sendable {
    /// Paths of PEM files: the certificate chain, and its private key.
    public var certificateFile: String
    public var keyFile: String
    public var allowsTLS12: Bool

    public init(certificateFile: String, keyFile: String, allowsTLS12: Bool = false) {
      self.certificateFile = certificateFile
      self.keyFile = keyFile
      self.allowsTLS12 = allowsTLS12
    }
  }

  /// Every limit has a name here and a test on its edge.
  public struct Limits: Sendable {
    /// Request line and fields together, bytes.
    public var headBytes = 16 << 10
    public var fieldCount = 64
    /// The request target alone, bytes.
    public var targetBytes = 8 << 10
    public var bodyBytes = 64 << 10
    /// Bodies of requests to `largeBodyPaths`, bytes.
    public var largeBodyBytes = 1 << 20
    /// Paths whose requests may have a larger body than others.
    public var largeBodyPaths: Set<String> = []
    /// Bodies of more than `bodyBytes` that one event loop receives at a time; a further one is
    /// answered 503, so that they fill little memory.
    public var largeBodies = 8
    /// Open connections per event loop; one more is closed at once.
    public var connections = 20_000
    /// Open connections of one network address over all loops; one more is closed at once.
    ///
    /// Of an IPv6 address its first 64 bits count, which one machine has all of.
    public var connectionsPerAddress = Limits.standardConnectionsPerAddress
    public static let standardConnectionsPerAddress = 1024
    /// From the first byte of a head, or from the accept, to its end.
    public var headSeconds = 10
    /// From the end of a head to the end of its body.
    public var bodySeconds = 20
    /// Between two requests of one connection.
    public var idleSeconds = 75
    /// Without the peer taking one byte of an answer.
    public var writeStallSeconds = 20
    /// The slowest reading of an answer, bytes a second, after the first `writeStallSeconds`.
    public var writeBytesPerSecond = 1024
    /// After the order to stop, until connections under way are cut.
    public var stopSeconds = 15

    public init() {}
  }

  /// An IPv4 or IPv6 address in text form, such as `127.0.0.1` or `::1`.
  public var address: String
  /// Zero lets the system choose.
  public var port: UInt16
  public var tls: TLS?
  public var limits = Limits()
  /// Whether the limit on connections of one address leaves out this peer, such as a proxy that
  /// carries everyone's requests.
  public var isUnlimitedPeer: @Sendable (String) -> Bool = { _ in false }
  /// Event loops, each a thread of its own.
  public var loops = 1
  /// Unix seconds for the `Date` field, asked at most once a second per loop.
  public var unixSeconds: @Sendable () -> Int64

  public init(
    address: String,
    port: UInt16,
    tls: TLS? = nil,
    unixSeconds: @escaping @Sendable () -> Int64
  ) {
    self.address = address
    self.port = port
    self.tls = tls
    self.unixSeconds = unixSeconds
  }
}

/// Why a server could not start.
///
/// Each case says what the operator can do.
public enum HTTPServerFault: Error, Equatable, Sendable {
  case addressMalformed(String)
  /// The system's `errno` for an address that could not be bound.
  case addressUnavailable(String, port: UInt16, errno: Int32)
  case certificateUnreadable(String)
  case keyUnreadable(String)
  case keyDoesNotMatchCertificate
}
