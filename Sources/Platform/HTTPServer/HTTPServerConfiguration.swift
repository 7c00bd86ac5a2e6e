/// The address, the TLS files and the limits of a server.
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

  /// Paths that accept larger bodies than others, such as `/items/{id}/photo`.
  public struct LargeBodyRule: Sendable {
    /// The text before and after the segment that varies.
    let before: String
    let after: String
    /// The maximum bytes of a body.
    let bytes: Int

    public init(before: String, after: String, bytes: Int) {
      self.before = before
      self.after = after
      self.bytes = bytes
    }

    /// Whether the path has exactly one segment that is not empty between both texts.
    func matches(_ path: String) -> Bool {
      let segment = path.utf8.count - before.utf8.count - after.utf8.count
      return segment > 0 && path.hasPrefix(before) && path.hasSuffix(after)
        && !path.utf8.dropFirst(before.utf8.count).prefix(segment).contains(UInt8(ascii: "/"))
    }
  }

  /// The limits.
  ///
  /// Each has a name and a test at its edge.
  public struct Limits: Sendable {
    /// The maximum bytes of request line and fields together.
    ///
    /// A target that is too long often fits, so that the fields say whether a person needs a page.
    public var headBytes = 32 << 10
    public var fieldCount = 64
    /// The maximum bytes of the request target.
    public var targetBytes = 8 << 10
    public var bodyBytes = 64 << 10
    /// The maximum bytes of a body for `largeBodyPaths`.
    public var largeBodyBytes = 1 << 20
    /// The paths that accept a larger body than others.
    public var largeBodyPaths: Set<String> = []
    /// More such paths, each with a limit of its own.
    public var largeBodyTemplates: [LargeBodyRule] = []
    /// The maximum number of bodies over `bodyBytes` that one event loop receives in parallel.
    ///
    /// A further one is answered with 503, so that large bodies do not fill the memory.
    public var largeBodies = 8
    /// The maximum number of these bodies of one network address over all loops.
    ///
    /// A further one is answered with 503. It is half of `largeBodies`, so that one address never
    /// has all places of a loop. A /48 of IPv6 counts as one address, because one customer has it.
    public var largeBodiesPerAddress = 4
    /// The maximum number of open connections per event loop.
    ///
    /// A further one is closed at once.
    public var connections = 20_000
    /// The maximum number of open connections of one network address over all loops.
    ///
    /// A further one is closed at once.
    ///
    /// An IPv6 address counts by its first 64 bits, because one machine has all addresses behind
    /// them.
    public var connectionsPerAddress = Limits.standardConnectionsPerAddress
    public static let standardConnectionsPerAddress = 4096
    /// The seconds from the first byte of a head, or from the accept, to the end of the head.
    public var headSeconds = 10
    /// The seconds from the end of a head to the end of its body.
    public var bodySeconds = 20
    /// The seconds between two requests of one connection.
    public var idleSeconds = 75
    /// The seconds in which the peer reads no byte of an answer.
    public var writeStallSeconds = 20
    /// The minimum reading speed for an answer, in bytes per second, after the first
    /// `writeStallSeconds`.
    public var writeBytesPerSecond = 1024
    /// The seconds between a stop order and the end of open connections.
    public var stopSeconds = 15

    public init() {}

    /// The maximum bytes of a body for a path.
    func bodyAllowance(of path: String) -> Int {
      if largeBodyPaths.contains(path) { return largeBodyBytes }
      return largeBodyTemplates.first { $0.matches(path) }?.bytes ?? bodyBytes
    }
  }

  /// An IPv4 or IPv6 address in text form, such as `127.0.0.1` or `::1`.
  public var address: String
  /// With zero the system chooses a port.
  public var port: UInt16
  public var tls: TLS?
  public var limits = Limits()
  /// Whether the limits of one address do not apply to this peer, such as a proxy that carries the
  /// requests of all clients.
  public var isUnlimitedPeer: @Sendable (String) -> Bool = { _ in false }
  /// The number of event loops.
  ///
  /// Each is a thread.
  public var loops = 1
  /// The Unix seconds for the `Date` field.
  ///
  /// Each loop calls it at most once a second.
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

/// The reason why a server could not start.
///
/// Each case has the information that the operator needs.
public enum HTTPServerFault: Error, Equatable, Sendable {
  case addressMalformed(String)
  /// The address could not be bound, with the system's `errno`.
  case addressUnavailable(String, port: UInt16, errno: Int32)
  case certificateUnreadable(String)
  case keyUnreadable(String)
  case keyDoesNotMatchCertificate
}
