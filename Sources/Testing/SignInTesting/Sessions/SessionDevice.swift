internal import ShellContract
internal import SignInFlow
internal import SignInModel

/// One device of a world of sessions: its real storage and its open tabs.
///
/// Storage may report something else than it has.
final class SessionDevice {
  let number: Int
  let person: Int
  /// Whether it can recognize its owner.
  let hasSensor: Bool
  var shell = SimulatedShell()
  /// The contents of the disk before the last write, for storage that loses writes.
  var before = SimulatedShell.Contents()
  /// Storage neither reads nor writes, as on a locked phone.
  var isStorageLocked = false
  var isOffline = false
  var clockErrorMilliseconds: Int64 = 0
  /// The time that its clocks have lost.
  var stoppedMilliseconds: Int64 = 0

  /// The key of its proofs.
  var key: DeviceKey { SimulatedKeys.devices[number] }
  var disk: SimulatedShell.Contents { shell.disk }
  var enrolment: Int { shell.enrolment }

  // MARK: State for the laws

  /// Sessions that this device ended itself.
  var ended: Set<SessionID> = []
  /// Sessions whose end is stored on this device.
  var givenUp: Set<SessionID> = []
  /// Sessions that were signed out and that the device must report to the server.
  var earlierTokens: Set<SessionID> = []
  var everStored: Set<SessionID> = []
  /// The last time when a tab showed data of each session, and when the app was last used.
  var lastShown: [SessionID: Instant] = [:]
  var lastUsed: Instant
  /// The time of the last write of presence, and the last such time that storage has accepted.
  ///
  /// A kill loses the writes between them.
  var seenAsked: Instant
  var seenKept: Instant
  /// The time of the last clock change.
  ///
  /// Absences across it cannot be measured.
  var clockSetAt: Instant

  init(number: Int, person: Int, hasSensor: Bool, at now: Instant) {
    self.number = number
    self.person = person
    self.hasSensor = hasSensor
    (lastUsed, seenAsked, seenKept, clockSetAt) = (now, now, now, now)
  }
}

/// One tab: the real client engine and its shell.
final class SessionTab {
  let number: Int
  let device: SessionDevice
  /// The number among the tabs of its device.
  let place: Int
  private(set) var flow = AppFlow<ActivitiesHome>()
  private(set) var run = 0
  private(set) var isOpen = false
  var isHidden = false
  var isTicking = false
  var isBusy = false
  /// The times of the pending writes of presence.
  var seenTimes: [Instant] = []
  var hiddenAt: Instant?
  /// The time when this tab was last visible, and when it last received use of the app.
  var lastSeen = Instant(milliseconds: 0)
  var lastUsed = Instant(milliseconds: 0)
  var lastSession: SessionID?
  /// The session that this tab entered while hidden, until the tab is visible.
  var enteredHidden: SessionID?
  var awaited: Set<RequestID> = []

  init(number: Int, device: SessionDevice) {
    self.number = number
    self.device = device
    place = device.shell.addTab()
  }

  var tasks: [SimulatedShell.Task] { device.shell.tabs[place].tasks }
  /// The enrolment whose key this tab has in memory.
  var unlocked: Int? { device.shell.tabs[place].unlocked }

  func open(at now: Instant) {
    run += 1
    flow = AppFlow<ActivitiesHome>()
    isOpen = true
    (isHidden, isTicking, isBusy) = (false, false, false)
    (seenTimes, awaited, hiddenAt) = ([], [], nil)
    (lastSeen, lastUsed, lastSession, enteredHidden) = (now, now, nil, nil)
  }

  func close() {
    isOpen = false
    (seenTimes, awaited, isBusy) = ([], [], false)
    device.shell.close(place)
  }

  func handle(_ event: Event, at now: Instant) -> [Effect] {
    let ticked = now.adding(milliseconds: -device.stoppedMilliseconds)
    return flow.handle(
      event, at: ticked.adding(milliseconds: device.clockErrorMilliseconds),
      steady: ticked.milliseconds
    )
  }

  var signedIn: SignedIn<ActivitiesHome>? {
    if case .signedIn(let signedIn) = flow.stage { signedIn } else { nil }
  }

  var signIn: TechnicianSignIn? {
    if case .signedOut(let signIn) = flow.stage { signIn } else { nil }
  }
}
