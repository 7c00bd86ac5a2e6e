public import SignInModel

/// Tells the time.
///
/// Two readings may be equal; a later reading is never earlier.
public protocol Clock: Sendable {
  func now() -> Instant
  /// Returns after this time has passed, or earlier when the task is cancelled.
  func pause(milliseconds: Int64) async
}

/// Gives bytes nobody can predict.
public protocol Randomness: Sendable {
  func bytes(_ count: Int) -> [UInt8]
}

/// Hashes passwords, slowly on purpose, in a pool with a bounded queue.
public protocol PasswordHashing: Sendable {
  /// - Throws: `.overloaded` when the queue is full; nothing was begun.
  func hash(_ password: Secret) async throws(PasswordHashingFault) -> String
  /// Whether the password is the one behind `encoded`; a hash that cannot be read never matches,
  /// and takes as long.
  func verify(_ password: Secret, against encoded: String) async throws(PasswordHashingFault)
    -> Bool
  /// How much of its time it has worked since it began; nil where nobody counts.
  var use: HashingUse? { get }
}

extension PasswordHashing {
  public var use: HashingUse? { nil }
}

/// What a hashing pool has done.
public struct HashingUse: Equatable, Sendable {
  public let threads: Int
  /// Of all threads together.
  public let busyMilliseconds: Int64

  public init(threads: Int, busyMilliseconds: Int64) {
    self.threads = threads
    self.busyMilliseconds = busyMilliseconds
  }
}

public enum PasswordHashingFault: Error, Equatable, Sendable {
  case overloaded(retrySeconds: Int64)
}

/// Remembers which proofs were seen, so that none is accepted twice (RFC 9449, section 11.1).
public protocol ProofLedger: Sendable {
  /// False when this identifier was already recorded and has not expired.
  func record(_ identifier: String, until expiry: Instant, now: Instant) -> Bool
}
