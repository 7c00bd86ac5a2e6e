public import Cryptography
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
  /// The same, with the work of each of these kinds besides, so that the time does not tell of
  /// which kind the hash is (T-03).
  func verify(
    _ password: Secret, against encoded: String, evenWith kinds: Set<PasswordHashKind>
  ) async throws(PasswordHashingFault) -> Bool
  /// Whether `encoded`, which the password matches, should be made again: with today's parameters.
  func needsRehash(_ encoded: String) -> Bool
  /// How much of its time it has worked since it began; nil where nobody counts.
  var use: HashingUse? { get }
}

extension PasswordHashing {
  public var use: HashingUse? { nil }

  public func needsRehash(_ encoded: String) -> Bool { false }

  public func verify(
    _ password: Secret, against encoded: String, evenWith kinds: Set<PasswordHashKind>
  ) async throws(PasswordHashingFault) -> Bool {
    try await verify(password, against: encoded)
  }
}

/// Knows passwords that were found in breaches elsewhere.
public protocol BreachedPasswords: Sendable {
  /// Whether the password with this SHA-1 digest is one of them; false when that cannot be known
  /// now, for a list that cannot be read must not stop people from choosing a password.
  func contains(_ digest: [UInt8]) async -> Bool
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
  /// There was no memory for one hash: the password was neither right nor wrong.
  case outOfMemory
}

/// Remembers which proofs were seen, so that none is accepted twice (RFC 9449, section 11.1).
public protocol ProofLedger: Sendable {
  /// Records one identifier, which counts against `source`, or against no limit when that is nil.
  func record(
    _ identifier: String, from source: ProofSource?, until expiry: Instant, now: Instant
  ) -> ProofVerdict
}

/// What became of a proof's identifier.
public enum ProofVerdict: Equatable, Sendable {
  /// It was not seen before, and is recorded now.
  case recorded
  /// It was recorded before and has not expired.
  case repeated
  /// There is no room for it: the same request may be made again with a new proof later.
  case refused(retrySeconds: Int64)
}

/// Whose proof it is.
public struct ProofSource: Equatable, Sendable {
  /// The RFC 7638 thumbprint of the key that signed it.
  public let key: String
  /// The network address that sent it, when it is known.
  public let peer: String?

  public init(key: String, peer: String?) {
    self.key = key
    self.peer = peer
  }
}
