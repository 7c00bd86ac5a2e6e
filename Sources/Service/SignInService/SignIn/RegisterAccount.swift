public import SignInModel
import SignInRules
public import SignInWire

/// A person's request for an account.
public struct Registration: Sendable {
  public let client: AppRegistration
  public let phone: PhoneNumber
  public let name: PersonName
  /// The RFC 7638 thumbprint of the device's key, if it proved one.
  public let proofKeyThumbprint: String?
  /// The network address of the sender; nil for a call that did not use a network.
  public let peer: String?

  public init(
    client: AppRegistration, phone: PhoneNumber, name: PersonName, proofKeyThumbprint: String?,
    peer: String?
  ) {
    self.client = client
    self.phone = phone
    self.name = name
    self.proofKeyThumbprint = proofKeyThumbprint
    self.peer = peer
  }
}

/// Creates an account that waits for an administrator's approval.
///
/// A number that has an account already gets the same answer, and nothing changes. So the answer
/// does not reveal who has an account.
public func registerAccount(
  _ registration: Registration, in world: World
) async throws(Refusal) -> AccountStatus {
  let client = registration.client
  guard client.signIn == .phoneCode, client.allowsRegistration, let role = client.roles.first
  else {
    throw Refusal.unauthorizedClient("sign-up is closed for this app")
  }
  let now = world.clock.now()
  let account = Account(
    id: AccountID(world.handle(bytes: 16)), email: nil, phone: registration.phone,
    name: registration.name.text, role: role, status: .pending, passwordHash: nil,
    organizations: [], createdAt: now
  )
  let caller = Caller(
    client: client.id, peer: registration.peer,
    proofKeyThumbprint: registration.proofKeyThumbprint
  )
  return try await world.decide(about: [.number(registration.phone)]) {
    (transaction: any AccountRecords & PolicyRecords & Throttling.Records) throws in
    let app = try world.registration(of: client, for: nil, transaction)
    guard app.reasonNotToSend(to: registration.phone) == nil else {
      throw Refusal.invalidRequest("phone_number must be of an allowed country")
    }
    let throttling = world.throttling(for: app, by: caller)
    if let refusal = try throttling.admitRegistration(at: now, transaction) { throw refusal }
    for role in client.roles {
      if let known = try transaction.account(phone: registration.phone, role: role) {
        try transaction.recordRefusal(.registrationRepeated, about: known.id, by: caller, at: now)
        return .pending
      }
    }
    try transaction.insert(account)
    try transaction.record(.accountRegistered, about: account.id, by: caller, at: now)
    return .pending
  }
}
