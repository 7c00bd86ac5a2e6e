internal import Cryptography
internal import SignInFlow
internal import SignInModel

/// One device: its storage, its key, its clock and its open tabs.
///
/// It works like a shell: effects in order, storage before any later request, one renewal at a time
/// among its tabs.
final class SimulatedDevice {
  let person: SimulatedPeople.Person
  let key: DeviceKey
  /// The error of the device's clock.
  ///
  /// People set clocks in both directions.
  var clockErrorMilliseconds: Int64
  var stored: String?
  /// The stored time of the person's last use.
  var seen: String?
  /// What `savePendingSignIn` stored.
  var pendingSignIn: Secret?
  var renewing: SimulatedTab?
  var waitingToRenew: [SimulatedTab] = []

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
  private(set) var flow = AppFlow()
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
  }

  func open() {
    run += 1
    flow = AppFlow()
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
    device.waitingToRenew.removeAll { $0 === self }
    if device.renewing === self { device.renewing = nil }
  }

  func handle(_ event: Event, at now: Instant) -> [Effect] {
    flow.handle(event, at: now.adding(milliseconds: device.clockErrorMilliseconds))
  }
}
