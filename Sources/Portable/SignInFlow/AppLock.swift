import JSONText
import SignInModel

/// An app that shows nothing until its owner has proved to be there (S-02, S-06).
///
/// It holds nothing of the session: what was in memory is gone, and the key that unseals what is
/// stored is in the device's hands.
public struct AppLock: Equatable, Sendable {
  /// All that is known and shown while the app is locked.
  public struct Card: Equatable, Sendable {
    static let version: Int64 = 1

    public let name: String
    public let organization: String
    /// What is sealed behind the lock, by its name: it opens nothing.
    let session: SessionID?

    init(name: String, organization: String, session: SessionID? = nil) {
      self.name = name
      self.organization = organization
      self.session = session
    }

    /// A damaged card is an empty one: it is a courtesy, and opens nothing.
    init(text: String) {
      let json = SessionRecord.parse(text)
      name = json?["name"]?.text ?? ""
      organization = json?["organization"]?.text ?? ""
      session = json?["session"]?.text.map { SessionID($0) }
    }

    var text: Secret {
      let json = JSON.members([
        JSONMember("version", Self.version),
        JSONMember("name", name), JSONMember("organization", organization),
        JSONMember("session", ifPresent: session?.text),
      ])
      return Secret(String(decoding: json.utf8, as: UTF8.self))
    }
  }

  enum Outcome: Equatable, Sendable {
    /// The person signs in again; what is stored stays until they have.
    case otherWay
    /// The lock can never be opened again (L-30).
    case destroyed
    case opened(StorageReading)
    /// Another window has put something else in place of what was locked.
    case replaced(StorageReading)
  }

  public let card: Card
  public private(set) var isUnlocking = false
  public private(set) var notice: Notice?
  private(set) var outcome: Outcome?
  /// When the person was last seen, as far as is known.
  let presence: Presence?

  init(card: String, presence: Presence?) {
    self.card = Card(text: card)
    self.presence = presence
  }

  mutating func handle(_ event: Event) -> [Effect] {
    switch event {
    case .buttonPressed(.unlock) where !isUnlocking:
      isUnlocking = true
      notice = nil
      return [.announce(.unlocking), .unlock]
    case .buttonPressed(.useAnotherWay): outcome = .otherWay
    case .bannerDismissed: notice = nil
    case .device(.unlocked(let reading)) where isUnlocking: return unlocked(reading)
    case .device(.unlockFailed(let failure)) where isUnlocking: return failed(failure)
    case .device(.sessionChanged(let reading)) where !isUnlocking: follow(reading)
    case .started, .storageRead, .fieldEdited, .buttonPressed, .passwordRevealToggled,
      .verifierMade, .answered, .ticked, .renewalClaimed, .sessionSaveRefused, .networkReturned,
      .device, .home:
      break
    }
    return []
  }

  private mutating func follow(_ reading: StorageReading) {
    switch reading {
    case .value, .absent, .damaged: outcome = .replaced(reading)
    case .locked, .cannotTell: break
    }
  }

  private mutating func unlocked(_ reading: StorageReading) -> [Effect] {
    isUnlocking = false
    switch reading {
    case .cannotTell, .locked:
      notice = .session(.unlockBusy)
      return [.announce(.notice(.session(.unlockBusy)))]
    case .value, .absent, .damaged:
      outcome = .opened(reading)
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
    return [.announce(.notice(reason))]
  }
}
