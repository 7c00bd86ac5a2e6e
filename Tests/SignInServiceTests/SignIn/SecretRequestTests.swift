import SignInModel
import SignInRules
import SignInService
import SignInWire
import Testing

@Suite("Secrets in requests to use cases")
struct SecretRequestTests {
  private static let text = "plum-anchor-4711"
  private static let secret = Secret(text)

  private static func requests() throws -> [any Sendable] {
    let client = TestWorld.technicians
    let prompt = CodePrompt(
      destination: "***", digits: 6, expiresAt: TestWorld.start, resendAt: TestWorld.start,
      attemptsLeft: 5)
    return [
      CodeAnswer(client: client, authSession: secret, code: secret, proofKeyThumbprint: "k"),
      ResendRequest(client: client, authSession: secret, proofKeyThumbprint: "k"),
      CodeRedemption(client: client, code: secret, verifier: secret, proofKeyThumbprint: "k"),
      PasswordResetAnswer(
        resetSession: secret, code: secret, password: secret, proofKeyThumbprint: nil, peer: nil),
      InvitationUse(
        client: client, invitation: secret, password: secret, proofKeyThumbprint: nil, peer: nil),
      ProviderAnswer(
        provider: "login", state: secret, code: secret, error: nil, issuer: nil, cookie: secret,
        peer: nil),
      BrowserStep.toProvider("https://login.example.com", cookie: secret),
      ServiceCredentialClaim(
        id: client.id, proof: .assertion(secret), path: "/oauth/token", peer: nil),
      ServiceCredentialClaim(
        id: client.id, proof: .secret([secret]), path: "/oauth/token", peer: nil),
      Refusal.insufficientAuthorization(secret, prompt),
      Refusal.invalidOTP(authSession: secret, attemptsLeft: 1),
      Refusal.otpExpired(authSession: secret, resendAt: nil),
      try OneTimeCode(parsing: "47114711"),
    ]
  }

  @Test("T-14 printing a request, a refusal or a code shows no secret")
  func printing() throws {
    for value in try Self.requests() {
      var printed = "\(value)" + String(reflecting: value)
      dump(value, to: &printed)
      #expect(!printed.contains(Self.text) && !printed.contains("47114711"))
    }
  }
}
