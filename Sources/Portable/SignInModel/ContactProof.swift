/// How an e-mail address or a phone number of an account was proved.
///
/// A written address proves nothing. Data that is meant for an address or a number goes only to an
/// account that has proved it.
public enum ContactProof: String, CaseIterable, Sendable {
  /// The person entered a code that was sent there.
  case code
  /// The person used an invitation that was sent there and shown to no other person.
  case invitation
  /// An identity provider has verified it.
  case provider
  /// An administrator of all organizations wrote it.
  case administrator
  /// An operator wrote it with a command on the server.
  case operatorCommand = "operator"
}
