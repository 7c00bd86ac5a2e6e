public import JSONText

/// A system outside Fieldpass that receives the changes that people made in the apps.
public protocol ChangeReceiver: Sendable {
  /// The name in the configuration, under which the position of the receiver is stored.
  var name: String { get }

  /// Sends a document.
  ///
  /// It returns only when the receiver has accepted the document.
  func take(_ changes: JSON) async throws(ChangeReceiverFault)
}

/// The reason why a receiver did not accept a document, or may not have accepted it.
public struct ChangeReceiverFault: Error, Equatable, Sendable {
  /// Text for the log.
  ///
  /// It contains no secret. Of the receiver's answer it contains the status only.
  public let why: String

  public init(_ why: String) { self.why = why }
}

/// The position of each receiver in the change log of `ChangeRecords`.
public protocol ChangeReceiverRecords {
  /// The sequence number of the last change that the receiver accepted.
  ///
  /// It is nil if the receiver has accepted none.
  func acceptedChange(by receiver: String) throws(StoreFault) -> Int64?
  func saveAcceptedChange(_ sequence: Int64, by receiver: String) throws(StoreFault)
}
