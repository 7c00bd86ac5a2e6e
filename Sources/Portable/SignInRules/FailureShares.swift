/// The devices of the failed attempts in a shared bucket.
///
/// A complete sign-in removes only the failures of its own device. So an attacker does not see from
/// the counter that the owner signed in.
public struct FailureShares: Equatable, Sendable {
  /// The failed attempts of one device.
  public struct Share: Equatable, Sendable {
    public let device: String
    /// Since the last lockout of the bucket.
    public internal(set) var failures: Int64
    /// Since the last complete sign-in of the device.
    ///
    /// Only failures that count towards the stop.
    public internal(set) var failuresInRow: Int64
    /// Lockouts that an answer of this device caused.
    public internal(set) var locks: Int64

    public init(device: String, failures: Int64, failuresInRow: Int64, locks: Int64) {
      self.device = device
      self.failures = failures
      self.failuresInRow = failuresInRow
      self.locks = locks
    }
  }

  /// The most devices that are stored.
  ///
  /// The failures of further devices are never removed by a sign-in.
  public static let limit = 100
  public static let none = FailureShares(shares: [])

  /// In the order of their first wrong answer.
  public private(set) var shares: [Share]

  /// Restores a stored state.
  public init(shares: [Share]) { self.shares = shares }

  mutating func count(by device: String, towardsStop: Bool, isLocking: Bool) {
    let index: Int
    if let known = shares.firstIndex(where: { $0.device == device }) {
      index = known
    } else {
      guard shares.count < Self.limit else { return }
      index = shares.count
      shares.append(Share(device: device, failures: 0, failuresInRow: 0, locks: 0))
    }
    shares[index].failures += 1
    if towardsStop { shares[index].failuresInRow += 1 }
    if isLocking { shares[index].locks += 1 }
  }

  /// A lockout begins, so failures are counted from zero.
  mutating func lock() {
    for index in shares.indices { shares[index].failures = 0 }
    shares.removeAll { $0.failuresInRow == 0 && $0.locks == 0 }
  }

  mutating func take(of device: String) -> Share? {
    guard let index = shares.firstIndex(where: { $0.device == device }) else { return nil }
    return shares.remove(at: index)
  }
}
