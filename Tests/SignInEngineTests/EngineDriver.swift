import EngineTesting
import JSONText
import SignInEngine
import SignInModel
import Testing

@testable import SignInWire

/// Gives the engine intents and facts, as an app that draws its own screens does.
///
/// The time is the device's.
struct EngineDriver: SessionDriver {
  static let password = "demo-Technician-1"
  static let app = AppProfile(
    clientID: "orders-app", signInKind: .passwordAndCode, scope: "openid orders")
  static let phoneApp = AppProfile(
    clientID: "drivers-app", signInKind: .phoneCode, scope: "openid offline_access")

  var flow = AppFlow<NoHome>()
  var time = Self.startTime
  var serverAheadSeconds: Int64 = 0
  var steady: Int64?
  /// The effects of the last intent or fact; a test sets earlier ones to answer their requests.
  var effects: [Effect] = []

  mutating func handle(_ event: AppEvent<NoPage>) {
    let event = event.asJustSeen(at: time)
    effects = flow.handle(event, at: time, steady: steady).compactMap { $0.ofEngine }
  }

  // MARK: Intents

  mutating func send(_ intent: SignInIntent, ticket: Int64? = nil) {
    handle(.intent(.signIn(intent, ticket: ticket)))
  }

  /// Signs in with a password; the shell makes the code verifier.
  mutating func signIn(
    email: EmailAddress = Self.address, password: String = Self.password, ticket: Int64? = nil
  ) {
    send(.enterPassword(email, Secret(password)), ticket: ticket)
    makeVerifier()
  }

  /// Signs in with a number; the shell makes the code verifier.
  mutating func sendCode(to phone: PhoneNumber, ticket: Int64? = nil) {
    send(.sendCode(to: phone), ticket: ticket)
    makeVerifier()
  }

  mutating func submit(code: String, ticket: Int64? = nil) {
    send(.submitCode(Secret(code)), ticket: ticket)
  }

  mutating func resend(ticket: Int64? = nil) { send(.resendCode, ticket: ticket) }

  mutating func signOut() { handle(.intent(.session(.signOut))) }

  mutating func switchOrganization(to organization: String) {
    handle(.intent(.session(.switchOrganization(OrganizationID(organization)))))
  }

  mutating func unlock() { handle(.intent(.session(.unlock))) }

  mutating func setLock() { handle(.intent(.session(.setLock))) }

  mutating func signInInstead() { handle(.intent(.session(.signInInstead))) }

  mutating func staySignedIn() { handle(.intent(.session(.staySignedIn))) }

  mutating func tryAgain() { handle(.intent(.session(.tryAgain))) }

  /// Sends an API request of the app.
  mutating func request(_ path: String = "/orders", ticket: Int64 = 100) {
    handle(.home(.requestMade(APIRequest(.get, path: path), ticket: ticket)))
  }

  /// Asks for an access token, which the engine renews first if it is about to expire.
  mutating func askToken(ticket: Int64) { handle(.home(.tokenAsked(ticket: ticket))) }

  // MARK: Facts

  mutating func makeVerifier() {
    handle(.signIn(.verifierMade(verifier: Secret("verifier"), challenge: "challenge")))
  }

  mutating func hide() { handle(.device(.hidden)) }

  mutating func show() { handle(.device(.shown)) }

  mutating func pass(seconds: Int64) {
    elapse(seconds: seconds)
    handle(.ticked)
  }

  /// The app gets the claim of a renewal, and storage contains its own session.
  mutating func grantClaim(at location: SourceLocation = #_sourceLocation) {
    guard let record = renewingSession?.record else {
      Issue.record("There is no session to renew.", sourceLocation: location)
      return
    }
    handle(.storage(.renewalClaimed(.value(record.text))))
  }

  mutating func refuse(_ code: ErrorCode, _ change: (inout Refusal) -> Void = { _ in }) {
    var error = Refusal(code)
    change(&error)
    answer(Int64(code.status), error.json)
  }

  mutating func fail(_ answer: Answer = .noNetwork) {
    guard let id = lastCall?.id else {
      Issue.record("No request waits for an answer.")
      return
    }
    handle(.answered(id, answer))
  }

  mutating func sendResetCode(_ session: String = "reset-1") {
    answer(200, ResetAnswer(resetSession: Secret(session), challenge: prompt()).json)
  }

  mutating func redirectToWeb() {
    refuse(.redirectToWeb) { $0.requestURI = "urn:ietf:params:oauth:request_uri:r1" }
  }

  /// Answers all requests, except the one that the server leaves open.
  mutating func answerRequests() {
    for effect in effects {
      guard case .call(let id, let call) = effect, call.path != Endpoint.sessionEvents.path else {
        continue
      }
      let body: JSON = call.path == Endpoint.me.path ? Self.account.json : .null
      handle(.answered(id, .received(status: 200, body: body, serverSeconds: serverNow.seconds)))
    }
  }

  /// Signs in with a password and a code, up to the first requests of the session.
  mutating func completeSignIn(_ number: Int64 = 1) {
    signIn()
    sendCode()
    submit(code: "123456")
    answer(200, .members([JSONMember("authorization_code", "code-1")]))
    answer(200, Self.tokens(number, expiresIn: 300).json)
  }
}
