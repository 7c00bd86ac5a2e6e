internal import JSONText
internal import SignInEngine
internal import SignInFlow
internal import SignInModel
internal import SignInRules
internal import SignInService
internal import SignInWire

/// One run of the server, from a start to a stop or a crash.
///
/// `@unchecked Sendable`: only the world's one thread uses it.
final class ServerLife: @unchecked Sendable {
  let number: Int
  /// Whether it accepts no more requests and waits for its hand-overs.
  var isStopping = false
  private(set) var isOver = false
  /// The tasks of the server's own work.
  var tasks: [Task<Void, Never>] = []

  init(number: Int) { self.number = number }

  /// Ends every task at its `await`.
  func end() {
    isOver = true
    for task in tasks { task.cancel() }
    tasks = []
  }
}

/// The information about one task of the server that the laws need.
///
/// `@unchecked Sendable`: only the world's one thread uses it.
final class SimulatedOperation: @unchecked Sendable {
  enum Kind {
    case passwordSignIn(username: String)
    case phoneSignIn(PhoneNumber)
    case verify(attempt: [UInt8], code: String)
    case resend
    case redeem(code: [UInt8])
    case refresh(token: String)
    case revoke(token: String)
    /// The person ends one of their own sessions.
    case endSession(SessionID)
    case forgot(username: String)
    case reset(reset: [UInt8], code: String)
    case registration
    case read
    /// The server's own work: hand-overs, receipts, and the removal of expired records.
    case background
    case administration(AccountID, AdministratorAction)
    /// A person, or a thief with the person's session, changes the account.
    case ownAccount(OwnAccountStep)
  }

  /// What a session or a link in a message does with its own account.
  enum OwnAccountStep: Equatable {
    case begin(Recipient)
    case confirm(session: String, code: String)
    /// The link in a message, by its secret.
    case undo(String)
    /// The change with this identifier, in the app.
    case undoOwn(String)
    case requestErasure
    case cancelErasure
  }

  /// An administrator's action on an account.
  enum AdministratorAction: Equatable {
    case status(Account.Transition)
    case unlock
    /// Sets another password, or removes it.
    case reset
    case endSessions
  }

  @TaskLocal static var current: SimulatedOperation?

  let kind: Kind
  let life: ServerLife
  /// Whether the sender is a real app, which follows all rules.
  let isFromApp: Bool
  /// The thumbprint of the sender's proved key.
  ///
  /// It is empty for the server's own tasks.
  let device: String
  /// The access token of the request, and the identifier of its proof.
  var accessToken: String?
  var proofID = ""
  /// The number of the last transaction before this task began.
  var begunAfter = 0
  /// The clock when this task last read it.
  var readClock: Instant
  /// The counter of a compared wrong answer, until the answer is settled.
  var comparedWrong: LockoutKey?
  /// The account whose password was compared and right, and the compared hash.
  var provedPassword: AccountID?
  var provedHash: String?
  var messageCount = 0
  /// The counter on which this task reserved a try.
  var counterKey: LockoutKey?
  /// The number of locks of that counter at that time.
  var lock: Int?
  var reservedAt: Instant?
  var wasWrongCounted = false
  /// The number and the time of this task's last transaction.
  var serial = 0
  var committedAt: Instant

  init(
    _ kind: Kind, in life: ServerLife, isFromApp: Bool, device: String = "", at now: Instant
  ) {
    self.kind = kind
    self.life = life
    self.isFromApp = isFromApp
    self.device = device
    readClock = now
    committedAt = now
  }

  /// The task of a request that has arrived.
  convenience init(
    of request: WireRequest, in life: ServerLife, at now: Instant, after serial: Int
  ) {
    self.init(
      request.kind, in: life, isFromApp: request.isFromApp, device: request.provedKey ?? "",
      at: now)
    accessToken = request.token
    proofID = request.proofID
    begunAfter = serial
  }

  /// Whether a code is compared and counted in the same transaction.
  var isCodeAnswer: Bool {
    switch kind {
    case .verify, .reset: true
    case .passwordSignIn, .phoneSignIn, .resend, .redeem, .refresh, .revoke, .endSession, .forgot,
      .registration, .read, .background, .administration, .ownAccount:
      false
    }
  }

  var hasStalled: Bool {
    guard let reservedAt else { return false }
    // Another task may have read the clock later than this one and committed earlier.
    return committedAt >= reservedAt.adding(seconds: Lockout.reservationSeconds)
  }
}

extension SimulatedOperation.Kind {
  func isAdministration(of account: AccountID, by action: SimulatedOperation.AdministratorAction)
    -> Bool
  {
    if case .administration(account, action) = self { true } else { false }
  }

  /// Whether it may end sessions of its account, because an address or a number changes.
  var endsOtherSessions: Bool {
    switch self {
    case .ownAccount(.confirm), .ownAccount(.undo), .ownAccount(.undoOwn): true
    default: false
    }
  }
}

extension SimulatedOperation.Kind {
  /// The task that a client starts at the server with this request.
  init(of call: SignInEngine.Call) {
    let form = call.form ?? Form()
    switch call.path {
    case Endpoint.challenge.path: self = .signIn(form)
    case Endpoint.token.path:
      self =
        form[.refreshToken].map { .refresh(token: $0) }
        ?? .redeem(code: TimeOrderedHandle.digest(of: form[.code] ?? ""))
    case Endpoint.revoke.path: self = .revoke(token: form[.token] ?? "")
    case Endpoint.forgotPassword.path: self = .forgot(username: Self.username(in: form))
    case Endpoint.resetPassword.path:
      let digest = TimeOrderedHandle.digest(of: form[.resetSession] ?? "")
      self = .reset(reset: digest, code: form[.otp] ?? "")
    case Endpoint.accounts.path: self = .registration
    default:
      self =
        Self.endedSession(by: call).map { Self.endSession($0) }
        ?? Self.ownAccountStep(of: call).map { Self.ownAccount($0) } ?? .read
    }
  }

  private static func endedSession(by call: SignInEngine.Call) -> SessionID? {
    let prefix = Endpoint.sessions.path + "/"
    guard call.method == .delete, call.path.hasPrefix(prefix) else { return nil }
    return SessionID(String(call.path.dropFirst(prefix.utf8.count)))
  }

  private static func ownAccountStep(of call: SignInEngine.Call)
    -> SimulatedOperation.OwnAccountStep?
  {
    var body = JSON.null
    if case .json(let json) = call.body { body = json }
    let undo = Endpoint.contactChange.path + "/"
    switch (call.method, call.path) {
    case (.post, Endpoint.contactChange.path): return contact(in: body).map { .begin($0) }
    case (.post, Endpoint.contactChangeCode.path):
      return .confirm(
        session: body[.changeSession]?.text ?? "", code: body[.otp]?.text ?? "")
    case (.post, Endpoint.undoContactChange.path): return .undo(call.form?[.undo] ?? "")
    case (.post, Endpoint.erasure.path): return .requestErasure
    case (.delete, Endpoint.erasure.path): return .cancelErasure
    case (.post, let path) where path.hasPrefix(undo):
      return .undoOwn(String(path.dropFirst(undo.utf8.count).prefix { $0 != "/" }))
    default: return nil
    }
  }

  private static func contact(in body: JSON) -> Recipient? {
    do throws(Malformed) {
      if let email = body[.email]?.text { return .email(try EmailAddress(parsing: email)) }
      if let number = body[.phoneNumber]?.text { return .phone(try PhoneNumber(parsing: number)) }
      return nil
    } catch {
      preconditionFailure("a simulated person sends a malformed address or number")
    }
  }

  private static func signIn(_ form: Form) -> Self {
    if let session = form[.authSession] {
      let digest = TimeOrderedHandle.digest(of: session)
      return form[.otp].map { .verify(attempt: digest, code: $0) } ?? .resend
    }
    guard let text = form[.phoneNumber] else {
      return .passwordSignIn(username: username(in: form))
    }
    do throws(Malformed) { return .phoneSignIn(try PhoneNumber(parsing: text)) } catch {
      preconditionFailure("a simulated client sends a malformed number")
    }
  }

  /// All spellings of an address give the same username (L-09).
  private static func username(in form: Form) -> String {
    let text = form[.username] ?? ""
    do throws(Malformed) { return try EmailAddress(parsing: text).text } catch { return text }
  }
}
