import Cryptography
import JSONText
import SignInModel
import SignInWire

/// A registration whose number is not proved yet.
///
/// It is sealed into the handle that the app sends back. So nothing that an unknown person typed is
/// stored.
struct OpenRegistration: Equatable, Sendable {
  let client: ClientID
  let phone: PhoneNumber
  let name: PersonName
  /// The RFC 7638 thumbprint of the key that must prove the answer, if a key was proved.
  let proofKeyThumbprint: String?
  /// Random.
  let handle: String
  let expiresAt: Instant

  /// The value to which its code is bound: the proved key, or without one the handle.
  var codeKey: String { proofKeyThumbprint ?? "registration " + handle }

  init(_ registration: Registration, handle: Secret, at now: Instant) {
    client = registration.client.id
    phone = registration.phone
    name = registration.name
    proofKeyThumbprint = registration.proofKeyThumbprint
    self.handle = handle.revealed
    expiresAt = now.adding(seconds: SignInLimits.attemptSeconds)
  }

  func sealed(by keyring: Keyring) -> Secret {
    let json = JSON.members([
      JSONMember(.clientID, client.text), JSONMember(.phoneNumber, phone.e164),
      JSONMember(.name, name.text), JSONMember(.key, ifPresent: proofKeyThumbprint),
      JSONMember(.id, handle), JSONMember(.expiresAt, expiresAt.seconds),
    ])
    return Secret(Base64URL.encode(keyring.registrations.seal(json.utf8, context: "")))
  }

  /// Returns `nil` if this server's key did not seal the text.
  init?(opening sealed: Secret, _ keyring: Keyring) {
    do {
      let bytes = try Base64URL.decode(sealed.revealed)
      guard let opened = keyring.registrations.open(bytes, context: "") else { return nil }
      let json = try JSONReader.read(opened, within: .request)
      guard let client = json.text(.clientID), let phone = json.text(.phoneNumber),
        let name = json.text(.name), let handle = json.text(.id),
        let expiry = json.unixSeconds(.expiresAt)
      else { return nil }
      self.client = ClientID(client)
      self.phone = try PhoneNumber(stored: phone)
      self.name = try PersonName(parsing: name)
      self.proofKeyThumbprint = json.text(.key)
      self.handle = handle
      self.expiresAt = Instant(seconds: expiry)
    } catch {
      return nil
    }
  }
}
