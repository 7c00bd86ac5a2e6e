import Cryptography
import JSONText
import SignInModel
import SignInWire

extension World {
  /// The counter of wrong codes for this address or number.
  ///
  /// All accounts that ask for it share the counter. So neither a sign-in nor another account gives
  /// more tries, and wrong codes lock no account.
  func failureBucket(for value: Recipient, askedBy session: Session) -> FailureBucket {
    FailureBucket(
      account: keyring.unknownAccount(.contactChange(value)), device: nil,
      asker: session.proofKeyThumbprint)
  }
}

/// A new address or number that is not proved yet.
///
/// It is sealed into the handle that the app sends back.
struct OpenContactChange: Equatable, Sendable {
  private static let context = "contact change"

  let account: AccountID
  let session: SessionID
  let value: Recipient
  /// Random.
  let handle: String
  let expiresAt: Instant

  /// The value to which the code is bound, so that it proves no other address.
  var codeKey: String { "contact change " + handle }

  init(_ access: Access, to value: Recipient, handle: Secret, at now: Instant) {
    account = access.account.id
    session = access.session.id
    self.value = value
    self.handle = handle.revealed
    expiresAt = now.adding(seconds: SignInLimits.attemptSeconds)
  }

  func sealed(by keyring: Keyring) -> Secret {
    let json = JSON.members([
      JSONMember(.account, account.text), JSONMember(.session, session.text),
      JSONMember(.value, value.text), JSONMember(.id, handle),
      JSONMember(.expiresAt, expiresAt.seconds),
    ])
    return Secret(
      Base64URL.encode(keyring.registrations.seal(json.utf8, context: Self.context)))
  }

  /// Returns `nil` if this server's key did not seal the text.
  init?(opening sealed: Secret, _ keyring: Keyring) {
    do {
      let bytes = try Base64URL.decode(sealed.revealed)
      guard let opened = keyring.registrations.open(bytes, context: Self.context) else {
        return nil
      }
      let json = try JSONReader.read(opened, within: .request)
      guard let account = json.text(.account), let session = json.text(.session),
        let value = json.text(.value), let handle = json.text(.id),
        let expiry = json.unixSeconds(.expiresAt)
      else { return nil }
      self.account = AccountID(account)
      self.session = SessionID(session)
      self.value = try Recipient(parsing: value)
      self.handle = handle
      self.expiresAt = Instant(seconds: expiry)
    } catch {
      return nil
    }
  }
}
