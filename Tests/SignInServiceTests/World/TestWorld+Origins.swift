import Cryptography
import SignInModel
import SignInRules
import SignInService
import SignInTesting
import SignInWire

extension TestWorld {
  /// The technicians' app with other limits.
  static func technicians(_ change: (inout AppRegistration) -> Void) -> AppRegistration {
    var client = technicians
    change(&client)
    return client
  }

  /// An app in which a phone number alone begins a sign-in.
  static func phoneApp(
    _ disclosure: AccountDisclosure, _ change: (inout AppRegistration) -> Void = { _ in }
  ) -> AppRegistration {
    var client = AppRegistration(
      id: ClientID("phone-app"), name: "Phones", home: .dashboard, signIn: .phoneCode,
      roles: [.technician], scopes: ["openid", "offline_access"]
    )
    client.policy.disclosure = disclosure
    change(&client)
    return client
  }

  static let phone = "+15550101234"
  static let unknownPhone = "+15550109999"

  private func terms(
    _ key: String, _ address: String?, _ organization: String? = nil
  ) -> SignInTerms {
    SignInTerms(
      client: client, scope: "openid offline_access",
      pkceChallenge: Base64URL.encode(SHA256Digest.of(Self.verifier)), nonce: nil,
      organization: organization.map { OrganizationID($0) }, proofKeyThumbprint: key,
      peer: address
    )
  }

  func begin(
    _ password: String = "right", username: String = "tara@example.com", key: String = "key",
    at organization: String? = nil, from address: String?
  ) async -> Refusal {
    let request = PasswordSignInRequest(
      terms: terms(key, address, organization), username: username, password: Secret(password)
    )
    return await firstAnswer(try await beginPasswordSignIn(request, in: world))
  }

  func beginPhone(
    _ phone: String = TestWorld.phone, key: String = "key", at organization: String? = nil,
    from address: String? = nil
  ) async throws -> Refusal {
    let request = PhoneSignInRequest(
      terms: terms(key, address, organization), phone: try PhoneNumber(parsing: phone)
    )
    return await firstAnswer(try await beginPhoneSignIn(request, in: world))
  }

  func resend(_ session: Secret?, key: String = "key", from address: String?) async -> Refusal {
    let request = ResendRequest(
      client: client, authSession: session ?? Secret(""), proofKeyThumbprint: key, peer: address
    )
    return await firstAnswer(try await resendCode(request, in: world))
  }

  func answer(
    _ code: String, _ session: Secret?, key: String = "key", from address: String?
  ) async throws(Refusal) -> Secret {
    try await verifyCode(
      CodeAnswer(
        client: client, authSession: session ?? Secret(""), code: Secret(code),
        proofKeyThumbprint: key, peer: address
      ),
      in: world
    )
  }

  /// The number of messages that were handed over.
  func messageCount() async -> Int {
    _ = await code()
    return messenger.messages.count
  }

  /// Adds an account with the password `right`.
  func insert(
    _ name: String, phone: String, organizations: [String] = [], status: AccountStatus = .active
  ) async throws {
    let account = Account(
      id: AccountID(name), email: try EmailAddress(parsing: "\(name)@example.com"),
      phone: try PhoneNumber(parsing: phone), name: name, role: .technician, status: status,
      passwordHash: try await passwords.hash(Secret("right")),
      organizations: organizations.map { OrganizationID($0) }, createdAt: Self.start,
      emailProof: .administrator, phoneProof: .administrator
    )
    try await store.transact { (transaction) throws(StoreFault) in try transaction.insert(account) }
  }
}
