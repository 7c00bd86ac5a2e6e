public import JSONText

/// Another system that is told what people changed.
public protocol ChangeReceiver: Sendable {
  /// As the configuration names it: the key of its stored position.
  var name: String { get }

  /// Hands a document over, and returns only when the receiver took charge of it.
  func take(_ changes: JSON) async throws(ChangeReceiverFault)
}

/// Why a receiver did not take a document, or may not have taken it.
public struct ChangeReceiverFault: Error, Equatable, Sendable {
  /// For the log: no secret, and nothing of what the receiver answered but its status.
  public let why: String

  public init(_ why: String) { self.why = why }
}

/// How far each receiver has taken the changes of `ChangeRecords`.
public protocol ChangeReceiverRecords {
  /// The sequence number of the last change that the receiver took; nil for a receiver without any.
  func takenChange(by receiver: String) throws(StoreFault) -> Int64?
  func saveTakenChange(_ sequence: Int64, by receiver: String) throws(StoreFault)
}
