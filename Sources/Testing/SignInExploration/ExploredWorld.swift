internal import ShellContract
internal import SignInEngine
internal import SignInModel
internal import SignInWire

/// One device with two tabs, its storage, the network and the server, as one value.
///
/// The tabs run the production engine and share a simulated shell.
struct ExploredWorld: Equatable {
  static let start = Instant(seconds: 1_900_000_000)
  static let app = AppProfile(
    clientID: "explored", signInKind: .passwordAndCode, scope: "openid offline_access")

  /// What may still go wrong, and what people may still do.
  struct Budget: Hashable {
    var lostMessages = 0
    var closedTabs = 0
    var refusedWrites = 0
    var unreadableReads = 0
    var clockSteps = 0
    var signOuts = 0
    var switches = 0
    var thefts = 0
  }

  struct Tab: Equatable {
    var flow = AppFlow<NoHome>()
    var isOpen = false
    var isTicking = false
  }

  struct Message: Equatable {
    let tab: Int
    let id: RequestID
    let call: Call
    /// The answer, once the server has handled the request or it was lost.
    var answer: Answer?
  }

  var tabs = [Tab(), Tab()]
  var budget: Budget
  var now = ExploredWorld.start
  var shell = SimulatedShell(tabs: 2)
  var messages: [Message] = []
  var server = ExploredServer()
  /// The refresh token that the thief has.
  var stolen: Secret?

  // MARK: State for the laws

  /// The sessions whose sign-out is stored on this device.
  var givenUp: Set<SessionID> = []
  /// The refresh tokens that the shell was asked to store.
  var saved: Set<String> = []
  var hasThiefActed = false
  /// The first violation of a law by the last step.
  var violation: ExploredLaw?

  /// A world with a session that both tabs show.
  init(budget: Budget) {
    self.budget = Budget()
    if let stored = Self.storedSession() {
      shell.disk.session = stored.revealed
      note(stored)
    }
    for index in tabs.indices {
      perform(.open(index), nil)
      finish(nil)
    }
    self.budget = budget
  }

  /// What storage contains after a sign-in.
  private static func storedSession() -> Secret? {
    let server = ExploredServer()
    var flow = AppFlow<NoHome>()
    func happen(_ event: AppEvent<NoPage>) -> [Effect] {
      flow.handle(event, at: start, steady: start.milliseconds).compactMap { $0.ofEngine }
    }
    func answer(_ effects: [Effect], _ status: Int64, _ refusal: Refusal) -> [Effect] {
      reply(effects, .received(status: status, body: refusal.json, serverSeconds: start.seconds))
    }
    func reply(_ effects: [Effect], _ answer: Answer) -> [Effect] {
      for case .call(let id, _) in effects { return happen(.answered(id, answer)) }
      return []
    }
    _ = happen(.started(utcOffsetSeconds: 0, app: app))
    _ = happen(.storage(.read(.absent)))
    guard let address = EmailAddress(typed: "kari@example.com") else { return nil }
    _ = happen(.intent(.signIn(.enterPassword(address, Secret("password")), ticket: nil)))
    let prompt = CodePrompt(
      destination: "***", digits: 6, expiresAt: start.adding(seconds: 300), resendAt: start,
      attemptsLeft: 5)
    let asked = happen(.signIn(.verifierMade(verifier: Secret("v"), challenge: "c")))
    _ = answer(asked, 403, .insufficientAuthorization(Secret("attempt"), prompt))
    let verified = reply(
      happen(.intent(.signIn(.submitCode(Secret("123456")), ticket: nil))),
      .received(
        status: 200, body: AuthorizationCodeAnswer(code: Secret("code")).json,
        serverSeconds: start.seconds))
    let signedIn = reply(
      verified,
      .received(
        status: 200, body: server.tokens(of: 0, 0, at: start).json, serverSeconds: start.seconds))
    for case .saveSession(let text) in signedIn { return text }
    return nil
  }
}
