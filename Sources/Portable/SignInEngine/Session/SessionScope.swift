import SignInModel
import SignInWire

/// The open session, as its home stores data for it.
struct SessionScope: Equatable, Sendable {
  /// The session that the stored place and the typed text belong to.
  let name: String
  /// The owner of the offline copies; `nil` if the access token does not name the account.
  let copyOwner: OfflineCopyOwner?

  init(_ record: SessionRecord, clientID: String) {
    name = record.terms.id.text
    copyOwner = OfflineCopyOwner(record, clientID: clientID)
  }
}
