import Cryptography
import SignInModel

/// After which event the security log begins: what is older was cut off.
public struct LogStart: Equatable, Sendable {
  public let sequence: Int64
  /// The hash that the first event left rests on.
  public let hash: [UInt8]

  /// Nothing was cut off yet.
  public static let whole = LogStart(sequence: 0, hash: SecurityEvent.firstLink)

  public init(sequence: Int64, hash: [UInt8]) {
    self.sequence = sequence
    self.hash = hash
  }

  /// What the event that reports the cut says: whoever moves the start must change the log too.
  var detail: String { "\(sequence) \(Base64URL.encode(hash))" }
}
