internal import SignInFlow
internal import SignInModel

/// One device of a world of sessions: what it has really stored, whatever it says, and the windows
/// of the app that are open on it.
final class SessionDevice {
  /// What is on disk.
  ///
  /// A lock is there when `lock` names the enrolment that opens it.
  struct Disk: Equatable {
    var session: String?
    var card: String?
    var lock: Int?
    var seen: String?
    var place: (session: String, text: String)?

    static func == (one: Disk, other: Disk) -> Bool {
      (one.session, one.card, one.lock, one.seen) == (
        other.session, other.card, other.lock, other.seen
      )
        && one.place?.session == other.place?.session && one.place?.text == other.place?.text
    }
  }

  let number: Int
  let person: Int
  /// Whether it can know its owner.
  let hasSensor: Bool
  var disk = Disk()
  /// What was there before the last write, for a store that forgets.
  var before = Disk()
  var enrolment = 1
  /// As on a phone that is locked: storage answers nothing, and takes nothing.
  var isStorageLocked = false
  var isOffline = false
  var clockErrorMilliseconds: Int64 = 0
  /// For how long its clocks have stood still.
  var stoodStillMilliseconds: Int64 = 0

  /// Whose proof the server takes.
  var key: String { "device-\(number)" }
  var pkceChallenge = ""
  var renewing: SessionWindow?
  var waiting: [SessionWindow] = []

  // MARK: The truth, as the laws know it

  /// Sessions that came to an end here for a reason of this device's own.
  var ended: Set<SessionID> = []
  /// Those whose end here is on disk.
  var givenUp: Set<SessionID> = []
  /// Somebody pressed Sign out, and the server is to learn of it.
  var owed: Set<SessionID> = []
  var everStored: Set<SessionID> = []
  /// When any window showed what is of a session, and when the app was last used.
  var lastShown: [SessionID: Instant] = [:]
  var lastUsed: Instant
  /// When storage was last told that somebody was seen, and when the last of this was told that
  /// storage has taken: what was lost on the way nobody knows after a kill.
  var seenAsked: Instant
  var seenKept: Instant
  /// When the clock was last set, for absences that nobody can measure.
  var clockSetAt: Instant

  init(number: Int, person: Int, hasSensor: Bool, at now: Instant) {
    self.number = number
    self.person = person
    self.hasSensor = hasSensor
    (lastUsed, seenAsked, seenKept, clockSetAt) = (now, now, now, now)
  }
}

/// One window: the real client core, and the shell around it.
final class SessionWindow {
  /// What a shell still has to do, in order.
  enum Task {
    case send(RequestID, Call)
    case read
    case save(String)
    case replace(String, with: String)
    case tombstone(String)
    case erase
    case eraseIfStill(String)
    case keepSeen(String, asked: Instant)
    case setLock(String, card: String)
    case removeLock(String)
    case keepCard(String)
    case keepPlace(String, String)
    case readPlace(String)
    case forgetPlace
    case unlock
    case claimed
    case release
    case readChange
  }

  let number: Int
  let device: SessionDevice
  private(set) var flow = AppFlow()
  private(set) var run = 0
  private(set) var isOpen = false
  var isHidden = false
  var isTicking = false
  var tasks: [Task] = []
  var isBusy = false
  /// The enrolment whose key this window holds.
  var freed: Int?
  var hiddenAt: Instant?
  /// When this window was last in sight, and when it last heard that the app is used.
  var lastSeen = Instant(milliseconds: 0)
  var lastUsed = Instant(milliseconds: 0)
  var lastSession: SessionID?
  var awaited: Set<RequestID> = []
  /// Waits for news of the session.
  var watch: RequestID?

  init(number: Int, device: SessionDevice) {
    self.number = number
    self.device = device
  }

  func open(at now: Instant) {
    run += 1
    flow = AppFlow()
    isOpen = true
    (isHidden, isTicking, isBusy) = (false, false, false)
    (tasks, awaited, watch, freed, hiddenAt) = ([], [], nil, nil, nil)
    (lastSeen, lastUsed, lastSession) = (now, now, nil)
  }

  func close() {
    isOpen = false
    (tasks, awaited, isBusy) = ([], [], false)
    device.waiting.removeAll { $0 === self }
    if device.renewing === self { device.renewing = nil }
  }

  func handle(_ event: Event, at now: Instant) -> [Effect] {
    let ticked = now.adding(milliseconds: -device.stoodStillMilliseconds)
    return flow.handle(
      event, at: ticked.adding(milliseconds: device.clockErrorMilliseconds),
      steady: ticked.milliseconds
    )
  }

  var signedIn: SignedIn? { if case .signedIn(let signedIn) = flow.stage { signedIn } else { nil } }

  var signIn: TechnicianSignIn? {
    if case .signedOut(let signIn) = flow.stage { signIn } else { nil }
  }
}
