internal import Cryptography
internal import ShellContract
internal import SignInFlow
internal import SignInModel
internal import SignInService
internal import SignInWire

/// One device: its shell with the storage, its key and its clock.
final class SimulatedDevice {
  let person: SimulatedPeople.Person
  let key: DeviceKey
  /// The error of the device's clock.
  ///
  /// People set clocks in both directions.
  var clockErrorMilliseconds: Int64
  var shell = SimulatedShell()

  init(person: SimulatedPeople.Person, key: DeviceKey, clockErrorMilliseconds: Int64) {
    self.person = person
    self.key = key
    self.clockErrorMilliseconds = clockErrorMilliseconds
  }
}

/// One tab of the app: the real client engine and the data of one run.
final class SimulatedTab {
  let number: Int
  let device: SimulatedDevice
  /// The number among the tabs of its device.
  let place: Int
  private var app: any SimulatedApp
  private(set) var isOpen = false
  /// The number of the current run.
  ///
  /// Answers to an earlier run are ignored.
  private(set) var run = 0
  var isTicking = false
  private var lastAttempt = 0
  private var awaited: Set<Int> = []

  init(number: Int, device: SimulatedDevice) {
    self.number = number
    self.device = device
    place = device.shell.addTab()
    app = Self.app(of: device.person)
  }

  private static func app(of person: SimulatedPeople.Person) -> any SimulatedApp {
    person.account.role == .rider ? AppFlow<DashboardHome>() : AppFlow<JobsHome>()
  }

  /// What the app shows its user.
  var stage: SimulatedStage { app.simulatedStage }

  func open() {
    run += 1
    app = Self.app(of: device.person)
    isOpen = true
    isTicking = false
  }

  /// The number of a new request.
  ///
  /// A repeated request gets a new number too.
  func nextAttempt() -> Int {
    lastAttempt += 1
    awaited.insert(lastAttempt)
    return lastAttempt
  }

  /// Whether this is the first answer of a request.
  ///
  /// Further copies are ignored.
  func isAnswered(_ attempt: Int) -> Bool { awaited.remove(attempt) != nil }

  func close() {
    awaited = []
    isOpen = false
    isTicking = false
    device.shell.close(place)
  }

  func handle(_ event: Event, at now: Instant) -> [Effect] {
    app.handle(event, at: now.adding(milliseconds: device.clockErrorMilliseconds), steady: nil)
  }
}

/// What people at a tab can see, with any home.
enum SimulatedStage {
  case other
  case storageUnreadable
  case signedOut(TechnicianSignIn)
  case riderSignedOut(RiderSignIn)
  case signedIn(SessionID)
}

/// The app of a technician or a rider.
protocol SimulatedApp {
  var simulatedStage: SimulatedStage { get }

  mutating func handle(_ event: Event, at device: Instant, steady: Int64?) -> [Effect]
}

extension AppFlow: SimulatedApp {
  var simulatedStage: SimulatedStage {
    switch stage {
    // Neither app needs unlocking in these worlds.
    case .starting, .readingStorage, .locked, .confirming, .atProvider: .other
    case .storageUnreadable: .storageUnreadable
    case .signedOut(let form): (form as? TechnicianSignIn).map { .signedOut($0) } ?? .other
    case .riderSignedOut(let form): (form as? RiderSignIn).map { .riderSignedOut($0) } ?? .other
    case .signedIn(let signedIn): .signedIn(signedIn.renewingSession.record.terms.id)
    }
  }
}
