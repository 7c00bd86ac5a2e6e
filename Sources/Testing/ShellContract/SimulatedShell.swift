public import SignInEngine
public import SignInFlow
internal import SignInModel

/// The shell of the tabs of one simulated device, as a value.
///
/// It runs the effects of each tab in order, over storage that the tabs share. The simulated worlds
/// and the exploration decide when the next task of a tab runs and what fails then.
public struct SimulatedShell: Equatable, Sendable {
  /// The contents of the disk.
  ///
  /// A lock exists if `lock` has the enrolment that opens it.
  public struct Contents: Equatable, Sendable {
    public var session: String?
    public var card: String?
    public var lock: Int?
    public var seen: String?
    public var screenState: ScreenState?
    public var pendingSignIn: String?
    public var lockouts: String?

    public init(session: String? = nil) { self.session = session }

    /// These contents after the session has ended or was replaced.
    func replaced(by session: String? = nil) -> Self {
      var contents = Self(session: session)
      contents.lockouts = lockouts
      return contents
    }
  }

  public struct ScreenState: Equatable, Sendable {
    let session: String
    let text: String
  }

  /// A pending task of a tab.
  public enum Task: Equatable, Sendable {
    case effect(Effect)
    /// The tab may renew now.
    case claimed
    /// Another tab has changed storage.
    case readChange
    case event(Event)
  }

  public struct Tab: Equatable, Sendable {
    public fileprivate(set) var tasks: [Task] = []
    /// The enrolment whose key this tab has in memory.
    public fileprivate(set) var unlocked: Int?
  }

  /// What fails while one task runs.
  public struct Faults {
    public enum WriteOutcome { case works, refused, lost }

    /// What storage reports instead of its contents.
    public var reading: StorageReading?
    public var write = WriteOutcome.works
    public var prompt: LockFailure?

    public init() {}
  }

  /// What the world does after a task, in order.
  public enum Outcome: Equatable, Sendable {
    case event(Event)
    case send(RequestID, Call)
    case cancel(RequestID)
    /// Storage has changed, and had these contents before.
    ///
    /// All other open tabs are told.
    case stored(before: Contents)
    case writeRefused
    case writeLost
  }

  /// A defect that breaks a law of the contract.
  public enum Defect: String, Sendable, CaseIterable {
    /// It replaces the stored session without comparing it.
    case replaceIgnoresChange
    /// Two tabs may renew at the same time.
    case renewalsOverlap
    /// It starts a request before the storage effect that precedes it.
    case requestBeforeSave
    /// It does not store the revocation at a sign-out.
    case revocationNotStored
    /// The renewals of a closed tab block those of the others.
    case closedTabRenews
    /// It erases any session.
    case eraseIgnoresChange
    /// The end of a session erases the known lockouts.
    case erasesLockouts
    /// It runs the newest task first.
    case newestTaskFirst
  }

  public var disk = Contents()
  public private(set) var tabs: [Tab] = []
  /// The fingers and faces that the device knows now.
  public var enrolment = 1
  /// The tab that renews, and those that wait for it.
  public private(set) var renewing: Int?
  public private(set) var waiting: [Int] = []
  public var defect: Defect?

  public init(tabs count: Int = 0, defect: Defect? = nil) {
    tabs = Array(repeating: Tab(), count: count)
    self.defect = defect
  }

  /// - Returns: The number of the new tab.
  public mutating func addTab() -> Int {
    tabs.append(Tab())
    return tabs.count - 1
  }

  // MARK: Tasks

  /// Accepts an effect of storage, a request or a renewal.
  ///
  /// - Returns: Whether it is one of these. The world runs the others itself.
  public mutating func accept(_ effect: Effect, from tab: Int) -> Bool {
    switch effect {
    case .claimRenewal:
      waiting.append(tab)
      grantRenewal()
    case .call, .cancelCall, .readSession, .saveSession, .replaceSession, .savePendingRevocation,
      .eraseSession, .eraseSessionIfUnchanged, .saveLastSeen, .setLock, .removeLock,
      .saveAccountSummary, .saveScreenState, .readScreenState, .eraseScreenState, .lock, .unlock,
      .savePendingSignIn, .erasePendingSignIn, .saveLockouts, .releaseRenewal:
      enqueue(.effect(effect), in: tab)
    case .makeVerifier, .saveLanguage, .saveProviderMenu, .saveUsername, .openBrowser,
      .openSignOutPage, .startTicking, .stopTicking, .report, .offlineCopy:
      return false
    }
    return true
  }

  public mutating func enqueue(_ task: Task, in tab: Int) {
    var isFirst = defect == .newestTaskFirst
    if case .effect(.call) = task, defect == .requestBeforeSave { isFirst = true }
    tabs[tab].tasks.insert(task, at: isFirst ? 0 : tabs[tab].tasks.count)
  }

  /// Closes a tab.
  ///
  /// Its pending tasks are lost.
  public mutating func close(_ tab: Int) {
    tabs[tab] = Tab()
    waiting.removeAll { $0 == tab }
    if renewing == tab, defect != .closedTabRenews { renewing = nil }
    grantRenewal()
  }

  /// The system allows one renewal at a time.
  private mutating func grantRenewal() {
    while let next = waiting.first, renewing == nil || defect == .renewalsOverlap {
      waiting.removeFirst()
      renewing = next
      enqueue(.claimed, in: next)
    }
  }

  /// Runs the first task of a tab.
  public mutating func work(_ tab: Int, _ faults: Faults = Faults()) -> [Outcome] {
    let task = tabs[tab].tasks.removeFirst()
    let reading = faults.reading ?? reading(for: tab)
    switch task {
    case .claimed: return [.event(.storage(.renewalClaimed(reading)))]
    case .readChange:
      return [.event(.storage(.sessionChanged(reading)))] + readLockouts(reading)
    case .event(let event): return [.event(event)]
    case .effect(let effect): return run(effect, in: tab, reading, faults)
    }
  }

  private mutating func run(
    _ effect: Effect, in tab: Int, _ reading: StorageReading, _ faults: Faults
  ) -> [Outcome] {
    switch effect {
    case .call(let id, let call): return [.send(id, call)]
    case .cancelCall(let id): return [.cancel(id)]
    case .readSession:
      let isReadable = reading != .temporarilyUnreadable
      let seen = disk.seen.map { Secret($0) }
      let pending = disk.pendingSignIn.map { Secret($0) }
      return [
        .event(
          .storage(
            .read(reading, seen: isReadable ? seen : nil, pending: isReadable ? pending : nil)))
      ] + readLockouts(reading)
    case .saveSession(let text):
      return put(text, in: tab, reading, faults) ?? [.writeRefused, .event(.storage(.saveFailed))]
    case .savePendingRevocation(let text):
      if defect == .revocationNotStored { return [] }
      return put(text, in: tab, reading, faults) ?? [.writeRefused]
    case .replaceSession(let old, let new):
      var disk = disk
      disk.session = new.revealed
      return swap(old, for: disk, reading, faults)
    case .removeLock(let text):
      var disk = disk
      (disk.session, disk.lock, disk.card) = (text.revealed, nil, nil)
      return swap(text, for: disk, reading, faults)
    case .eraseSession: return write(erased, faults) ?? [.writeRefused]
    case .eraseSessionIfUnchanged(let text):
      guard reading == .value(text) || defect == .eraseIgnoresChange else { return [] }
      return write(erased, faults) ?? [.writeRefused]
    case .saveLockouts(let text):
      var disk = disk
      disk.lockouts = text?.revealed
      return write(disk, faults) ?? [.writeRefused]
    case .setLock, .unlock, .lock: return runLock(effect, in: tab, reading, faults)
    case .releaseRenewal:
      if renewing == tab { renewing = nil }
      grantRenewal()
      return []
    default: return runSmallRecord(effect, in: tab, reading, faults)
    }
  }

  // MARK: Storage

  /// The contents without the session and what belongs to it.
  private var erased: Contents { defect == .erasesLockouts ? Contents() : disk.replaced() }

  private func readLockouts(_ reading: StorageReading) -> [Outcome] {
    guard reading != .temporarilyUnreadable else { return [] }
    return [.event(.storage(.lockoutsRead(disk.lockouts.map { Secret($0) })))]
  }

  /// What storage reports to a tab.
  public func reading(for tab: Int) -> StorageReading {
    guard let session = disk.session else { return .absent }
    guard let lock = disk.lock, tabs[tab].unlocked != lock else { return .value(Secret(session)) }
    return .locked(card: Secret(disk.card ?? ""))
  }

  /// Replaces the contents in one step.
  ///
  /// - Returns: `nil` if storage refuses.
  public mutating func write(_ disk: Contents, _ faults: Faults = Faults()) -> [Outcome]? {
    switch faults.write {
    case .refused: return nil
    case .lost: return [.writeLost]
    case .works:
      let before = self.disk
      self.disk = disk
      return [.stored(before: before)]
    }
  }

  /// Writes over any contents and reports what they were.
  private mutating func put(
    _ text: Secret, in tab: Int, _ replaced: StorageReading, _ faults: Faults
  ) -> [Outcome]? {
    tabs[tab].unlocked = nil
    return write(disk.replaced(by: text.revealed), faults)
      .map { $0 + [.event(.storage(.storedSessionReplaced(replaced)))] }
  }

  /// Writes only if storage still has `old`.
  private mutating func swap(
    _ old: Secret, for disk: Contents, _ reading: StorageReading, _ faults: Faults
  ) -> [Outcome] {
    guard reading == .value(old) || defect == .replaceIgnoresChange else {
      return [.event(.storage(.sessionChanged(reading)))]
    }
    return write(disk, faults)
      ?? [.writeRefused, .event(.storage(.sessionChanged(.temporarilyUnreadable)))]
  }

  /// Stores or reads a record beside the session.
  ///
  /// Only the failure of a pending sign-in is reported.
  private mutating func runSmallRecord(
    _ effect: Effect, in tab: Int, _ reading: StorageReading, _ faults: Faults
  ) -> [Outcome] {
    let isOpen = disk.lock == nil || disk.lock == tabs[tab].unlocked
    let isRefused = faults.write == .refused
    switch effect {
    case .readScreenState(let session):
      let isOwn = isOpen && disk.screenState?.session == session
      let isReadable = reading != .temporarilyUnreadable
      let text = isOwn && isReadable ? disk.screenState.map { Secret($0.text) } : nil
      return [.event(.home(.screenStateRead(text)))]
    case .savePendingSignIn(let text):
      if !isRefused { disk.pendingSignIn = text.revealed }
      return [.event(.storage(.pendingSignInSaved(!isRefused)))]
    case _ where isRefused: return []
    case .erasePendingSignIn: disk.pendingSignIn = nil
    case .eraseScreenState: disk.screenState = nil
    case _ where disk.session == nil: return []
    case .saveLastSeen(let text): disk.seen = text.revealed
    case .saveAccountSummary(let text): if disk.lock != nil { disk.card = text.revealed }
    case .saveScreenState(let session, let text):
      if isOpen { disk.screenState = ScreenState(session: session, text: text.revealed) }
    default: break
    }
    return []
  }

  // MARK: The lock

  private mutating func runLock(
    _ effect: Effect, in tab: Int, _ reading: StorageReading, _ faults: Faults
  ) -> [Outcome] {
    switch effect {
    case .setLock(let session, let card):
      if let failure = faults.prompt { return [.event(.session(.lockFailed(failure)))] }
      guard reading == .value(session) else { return [.event(.session(.lockFailed(.busy)))] }
      var disk = disk
      (disk.session, disk.card, disk.lock) = (session.revealed, card.revealed, enrolment)
      guard let stored = write(disk, faults) else {
        return [.writeRefused, .event(.session(.lockFailed(.impossible)))]
      }
      tabs[tab].unlocked = enrolment
      return stored + [.event(.session(.lockSet))]
    case .unlock:
      if let failure = faults.prompt { return [.event(.session(.unlockFailed(failure)))] }
      if let lock = disk.lock, lock != enrolment {
        return [.event(.session(.unlockFailed(.changed)))]
      }
      tabs[tab].unlocked = disk.lock
      return [.event(.session(.unlocked(faults.reading ?? self.reading(for: tab))))]
    default:
      tabs[tab].unlocked = nil
      return []
    }
  }
}

extension SimulatedShell.Task {
  /// Whether it writes the session, so that it can be refused or lost.
  public var changesSession: Bool {
    guard case .effect(let effect) = self else { return false }
    switch effect {
    case .saveSession, .replaceSession, .savePendingRevocation, .eraseSession,
      .eraseSessionIfUnchanged, .setLock, .removeLock:
      return true
    default: return false
    }
  }

  /// Whether it reports what storage has.
  public var reads: Bool {
    switch self {
    case .claimed, .readChange, .effect(.readSession): true
    case .effect, .event: false
    }
  }
}
