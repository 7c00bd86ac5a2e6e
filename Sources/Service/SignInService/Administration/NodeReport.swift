import Cryptography
public import JSONText
public import SignInModel

/// What one of several servers with one database says about its configuration.
public struct NodeReport: Equatable, Sendable {
  /// How often each server reports.
  public static let pauseMilliseconds: Int64 = 5000
  /// How long after `at` a report is valid.
  ///
  /// The next report replaces it. A slow database can delay that, so this is several times the
  /// pause.
  public static let validSeconds: Int64 = 30

  /// The name of the server's process; each start has another one.
  public let node: String
  /// When the report was made, by the clock of the database.
  ///
  /// So a server whose clock is ahead or behind does not seem to run longer or shorter.
  public let at: Instant
  /// The digest of the value of each key of the configuration.
  public let digests: [String: String]

  public init(node: String, at: Instant, digests: [String: String]) {
    self.node = node
    self.at = at
    self.digests = digests
  }

  /// Whether the server still runs, as far as the report tells.
  ///
  /// It does if the report is from the future, because the clock of the database was set back.
  public func isValid(at now: Instant) -> Bool {
    now < at.adding(seconds: Self.validSeconds)
  }

  /// The keys whose values differ from those of another server, in order.
  public func differences(from others: [NodeReport]) -> [String] {
    var keys: Set<String> = []
    for other in others where other.node != node {
      for key in Set(digests.keys).union(other.digests.keys)
      where digests[key] != other.digests[key] {
        keys.insert(key)
      }
    }
    return keys.sorted()
  }
}

/// The reports of all servers of a database, as a decision reads them.
public protocol NodeReportRecords {
  /// All reports, also those that are not valid any more.
  func nodeReports() throws(StoreFault) -> [NodeReport]
}

/// The answer to the report of a server.
public enum NodeReportOutcome: Equatable, Sendable {
  /// The reports of all servers, also the own one.
  case reports([NodeReport])
  /// The store has another master key than the server, whose report was not stored.
  case otherKey
}

/// The reports of all servers of a database.
public protocol NodeReportStore: Sendable {
  /// Stores the report of a server with the time of the database, and removes reports that are not
  /// valid any more.
  ///
  /// The same decision compares the master key of the server with that of the store. No decision
  /// that replaces a lost key overlaps it. So either that decision finds the report, or the server
  /// finds another key.
  func exchange(
    node: String, digests: [String: String]
  ) async throws(StoreFault) -> NodeReportOutcome
  /// All reports, also those that are not valid any more.
  func nodeReports() async throws(StoreFault) -> [NodeReport]
  /// Removes the report of a server that ends.
  func removeReport(of node: String) async throws(StoreFault)
}

/// The digests of a configuration.
///
/// They have a key, so a reader of the database cannot guess values. Secrets are not part of a
/// configuration.
public struct ConfigurationDigests: Sendable {
  /// The keys that each server has for itself.
  public static let ownKeys: Set = ["listen", "metrics_listen", "store", "tls"]

  private let key: [UInt8]

  init(key: [UInt8]) { self.key = key }

  /// The digests of the members that all servers must share.
  public func digests(of members: [JSONMember]) -> [String: String] {
    var digests: [String: String] = [:]
    for member in members where !Self.ownKeys.contains(member.key) {
      digests[member.key] = digest(Self.ordered(member.value).utf8)
    }
    return digests
  }

  private func digest(_ bytes: [UInt8]) -> String {
    Base64URL.encode(Array(HMACSHA256.code(for: bytes, key: key).prefix(12)))
  }

  /// The same value with its members in the order of their keys.
  private static func ordered(_ json: JSON) -> JSON {
    switch json {
    case .object(let members):
      .object(
        members.sorted { $0.key < $1.key }.map { JSONMember($0.key, ordered($0.value)) })
    case .array(let elements): .array(elements.map { ordered($0) })
    case .null, .bool, .int, .decimal, .string: json
    }
  }
}
