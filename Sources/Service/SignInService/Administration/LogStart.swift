import Cryptography
import SignInModel

/// The last event that was removed from the beginning of the security log.
public struct LogStart: Equatable, Sendable {
  public let sequence: Int64
  /// The hash of that event.
  ///
  /// The hash of the next event depends on it.
  public let hash: [UInt8]

  /// No event was removed yet.
  public static let whole = LogStart(sequence: 0, hash: SecurityEvent.firstLink)

  public init(sequence: Int64, hash: [UInt8]) {
    self.sequence = sequence
    self.hash = hash
  }

  /// The detail of the event that reports the removal.
  ///
  /// So a change of the beginning also requires a change in the log.
  var detail: String { "\(sequence) \(Base64URL.encode(hash))" }
}
