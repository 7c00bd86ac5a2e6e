public import Cryptography
public import SignInModel

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
  /// Whether `encoded` should be replaced by a hash of the password with today's parameters.
  ///
  /// The password must match `encoded`.
  func needsRehash(_ encoded: String, of password: Secret) -> Bool
  /// The time that the pool has worked since it started.
  ///
  /// It is nil if the implementation does not measure it.
  var use: HashingUse? { get }
}

extension PasswordHashing {
  public var use: HashingUse? { nil }

  public func needsRehash(_ encoded: String, of password: Secret) -> Bool { false }

  public func verify(
    _ password: Secret, against encoded: String, evenWith kinds: Set<PasswordHashKind>
  ) async throws(PasswordHashingFault) -> Bool {
    try await verify(password, against: encoded)
  }
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
