public import Cryptography
public import SignInModel

/// The current time.
///
/// Two readings may be equal. A later reading is never earlier than the one before.
public protocol Clock: Sendable {
  func now() -> Instant
  /// Returns after this time, or earlier if the task is cancelled.
  func pause(milliseconds: Int64) async
}

/// A source of unpredictable bytes.
public protocol Randomness: Sendable {
  func bytes(_ count: Int) -> [UInt8]
}

/// Hashes passwords in a pool of threads with a bounded queue.
///
/// Hashing is slow on purpose.
public protocol PasswordHashing: Sendable {
  /// Hashes a password.
  ///
  /// - Throws: `.overloaded` if the queue is full. Nothing was started.
  func hash(_ password: Secret) async throws(PasswordHashingFault) -> String
  /// Whether `encoded` is a hash of the password.
  ///
  /// A hash that cannot be read matches no password, and the comparison takes the same time.
  func verify(_ password: Secret, against encoded: String) async throws(PasswordHashingFault)
    -> Bool
  /// Whether `encoded` is a hash of the password, with the work of each of `kinds` added.
  ///
  /// The added work makes the time the same for every kind, so that it does not reveal the kind of
  /// the hash (T-03).
  func verify(
    _ password: Secret, against encoded: String, evenWith kinds: Set<PasswordHashKind>
  ) async throws(PasswordHashingFault) -> Bool
  /// Whether `encoded` should be replaced by a hash with today's parameters.
  ///
  /// The password must match `encoded`.
  func needsRehash(_ encoded: String) -> Bool
  /// The time that the pool has worked since it started.
  ///
  /// It is nil if the implementation does not measure it.
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

/// The list of passwords that were found in data breaches.
public protocol BreachedPasswords: Sendable {
  /// Whether the password with this SHA-1 digest is in the list.
  ///
  /// If the list cannot be read, the result is false, so that people can still choose a password.
  func contains(_ digest: [UInt8]) async -> Bool
}

/// The use of a hashing pool.
public struct HashingUse: Equatable, Sendable {
  public let threads: Int
  /// The sum over all threads.
  public let busyMilliseconds: Int64

  public init(threads: Int, busyMilliseconds: Int64) {
    self.threads = threads
    self.busyMilliseconds = busyMilliseconds
  }
}

public enum PasswordHashingFault: Error, Equatable, Sendable {
  case overloaded(retrySeconds: Int64)
  /// There was not enough memory for one hash, so the password was not compared.
  case outOfMemory
}

/// The proof ledger: it remembers proofs, so that none is accepted twice (RFC 9449, section 11.1).
public protocol ProofLedger: Sendable {
  /// Records one identifier.
  ///
  /// It counts against the limits of `source`; without a source it counts against none.
  func record(
    _ identifier: String, from source: ProofSource?, until expiry: Instant, now: Instant
  ) -> ProofVerdict
}

/// The result of recording a proof's identifier.
public enum ProofVerdict: Equatable, Sendable {
  /// It was not known before, and is recorded now.
  case recorded
  /// It was recorded before and has not expired.
  case repeated
  /// The ledger is full.
  ///
  /// The client can send the same request later with a new proof.
  case refused(retrySeconds: Int64)
}

/// The key and the network address that a proof comes from.
public struct ProofSource: Equatable, Sendable {
  /// The RFC 7638 thumbprint of the key that signed the proof.
  public let key: String
  /// The network address of the sender, if it is known.
  public let peer: String?

  public init(key: String, peer: String?) {
    self.key = key
    self.peer = peer
  }
}
