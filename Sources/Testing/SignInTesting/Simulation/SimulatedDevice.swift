internal import Cryptography
internal import SignInFlow
internal import SignInModel

/// One device: its storage, its key, its clock, and the windows of the app that are open on it.
///
/// What a shell does, it does: effects in order, storage before any later call, one renewal at a
/// time among its windows.
final class SimulatedDevice {
  let person: SimulatedPeople.Person
  let key: DeviceKey
  /// How far the device's clock is from the truth; people set clocks in both directions.
  var clockErrorMilliseconds: Int64
  var stored: String?
  /// When its person was last seen, as the app wrote it down.
  var seen: String?
  var renewing: SimulatedWindow?
  var waitingToRenew: [SimulatedWindow] = []

  init(person: SimulatedPeople.Person, key: DeviceKey, clockErrorMilliseconds: Int64) {
    self.person = person
    self.key = key
    self.clockErrorMilliseconds = clockErrorMilliseconds
  }
}

/// One window of the app: the real client core, and whatever belongs to one run of it.
final class SimulatedWindow {
  let number: Int
  let device: SimulatedDevice
  private(set) var flow = AppFlow()
  private(set) var isOpen = false
  /// Answers to an earlier run are nobody's.
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

  /// One more request leaves, under a number of its own even when it repeats another.
  func nextAttempt() -> Int {
    lastAttempt += 1
    awaited.insert(lastAttempt)
    return lastAttempt
  }

  /// Whether this is the one answer a request gets, whatever the network does with it.
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
