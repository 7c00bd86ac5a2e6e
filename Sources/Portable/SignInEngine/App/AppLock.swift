import JSONText
import SignInModel

/// The locked app.
///
/// Until the device has verified its owner, it shows only the name and the organization (S-02,
/// S-06).
///
/// It has no tokens. The data in memory was cleared, and only the device can unlock the key of the
/// stored session.
public struct AppLock: Equatable, Sendable {
  /// All that is known and shown while the app is locked.
  public struct LockedContent: Equatable, Sendable {
    static let version: Int64 = 1

    public let name: String
    /// The name of the organization.
    public let organization: String
    /// The identifier of the sealed session.
    ///
    /// It gives no access to the session.
    let session: SessionID?

    init(name: String, organization: String, session: SessionID? = nil) {
      self.name = name
      self.organization = organization
      self.session = session
    }

    /// Reads a damaged card as an empty one, because a card gives no access.
    init(text: String) {
      let json = JSON(storedText: Secret(text))
      name = json?.text("name") ?? ""
      organization = json?.text("organization") ?? ""
      session = json?.text("session").map { SessionID($0) }
    }

    var text: Secret {
      let json = JSON.members([
        JSONMember("version", Self.version),
        JSONMember("name", name), JSONMember("organization", organization),
        JSONMember("session", ifPresent: session?.text),
      ])
      return Secret(json)
    }
  }

  enum Outcome: Equatable, Sendable {
    /// The person signs in again.
    ///
    /// The stored session remains until the sign-in has succeeded.
    case otherWay
    /// The lock can never be opened again (L-30).
    case destroyed
    case opened(StoredSession)
    /// Another tab has replaced the locked session by something else.
    case replaced(StoredSession)
  }

  public let card: LockedContent
  public private(set) var isUnlocking = false
  public private(set) var notice: Notice?
  private(set) var outcome: Outcome?
  /// When the app was last visible and used, as far as it is known.
  let lastActivity: LastActivity?

  init(card: LockedContent, lastActivity: LastActivity?) {
    self.card = card
    self.lastActivity = lastActivity
  }

  mutating func handle<Page>(_ event: AppEvent<Page>, _ context: inout FlowContext) -> [Effect] {
    switch event {
    case .page(let page):
      switch page.intent {
      case .session(let intent)?: return handle(intent)
      case .dismissNotice?: notice = nil
      case .chooseLanguage, .signInAgain, .signInAtProvider, .cancel, .declineLock, .reply,
        .toggleMenu, .openSessions, .goBack, nil:
        break
      }
    case .intent(.session(let intent)): return handle(intent)
    case .session(let event): return handle(event)
    case .storage(.sessionChanged(let reading)):
      if !isUnlocking { follow(StoredSession(reading)) }
    case .started, .signIn, .storage, .answered, .ticked, .device, .home, .intent(.signIn): break
    }
    return []
  }

  private mutating func handle(_ intent: SessionIntent) -> [Effect] {
    switch intent {
    case .unlock where !isUnlocking:
      isUnlocking = true
      notice = nil
      return [.report(.unlocking), .unlock]
    case .signInInstead: outcome = .otherWay
    case .unlock, .tryAgain, .setLock, .removeLock, .staySignedIn, .switchOrganization, .signOut:
      break
    }
    return []
  }

  private mutating func handle(_ event: SessionEvent) -> [Effect] {
    guard isUnlocking else { return [] }
    switch event {
    case .unlocked(let reading):
      return StoredSession.updating(reading) + unlocked(StoredSession(reading))
    case .unlockFailed(let failure): return failed(failure)
    case .lockSupportChecked, .lockSet, .lockFailed: return []
    }
  }

  private mutating func follow(_ stored: StoredSession) {
    switch stored {
    case .none, .session, .signedOut, .ofLaterVersion, .damaged: outcome = .replaced(stored)
    case .sealed, .unavailable: break
    }
  }

  private mutating func unlocked(_ stored: StoredSession) -> [Effect] {
    isUnlocking = false
    switch stored {
    case .unavailable, .sealed:
      notice = .session(.unlockBusy)
      return [.report(.notice(.session(.unlockBusy)))]
    case .none, .session, .signedOut, .ofLaterVersion, .damaged:
      outcome = .opened(stored)
      return []
    }
  }

  private mutating func failed(_ failure: LockFailure) -> [Effect] {
    isUnlocking = false
    let reason: Notice
    switch failure {
    case .cancelled: reason = .session(.unlockCancelled)
    case .busy: reason = .session(.unlockBusy)
    case .changed, .impossible:
      outcome = .destroyed
      return []
    }
    notice = reason
    return [.report(.notice(reason))]
  }
}
