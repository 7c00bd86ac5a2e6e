public import Cryptography
public import SignInModel
public import SignInService

/// Argon2id in its own thread pool, because hashing would block an event loop.
public final class PooledPasswordHashing: PasswordHashing {
  /// The largest number of waiting calls for each thread.
  ///
  /// Further ones are refused. A full queue takes about one second.
  public static let queueLimitPerThread = 40

  private let pool: HashingPool
  private let threads: Int

  public init(threads: Int) {
    self.threads = threads
    pool = HashingPool(threads: threads, queueLimit: threads * Self.queueLimitPerThread)
  }

  public var use: HashingUse? {
    HashingUse(threads: threads, busyMilliseconds: Int64(pool.busy / .milliseconds(1)))
  }

  public func hash(_ password: Secret) async throws(PasswordHashingFault) -> String {
    try await run { () throws(PasswordHashFault) in try PasswordHash.make(password.revealed) }
  }

  public func verify(_ password: Secret, against encoded: String) async throws(PasswordHashingFault)
    -> Bool
  {
    try await run { () throws(PasswordHashFault) in
      try PasswordHash.matches(password.revealed, encoded)
    }
  }

  public func verify(
    _ password: Secret, against encoded: String, evenWith kinds: Set<PasswordHashKind>
  ) async throws(PasswordHashingFault) -> Bool {
    try await run { () throws(PasswordHashFault) in
      try PasswordHash.matches(password.revealed, encoded, evenWith: kinds)
    }
  }

  public func needsRehash(_ encoded: String, of password: Secret) -> Bool {
    PasswordHash.needsRehash(encoded, of: password.revealed)
  }

  private func run<Answer: Sendable>(
    _ work: @escaping @Sendable () throws(PasswordHashFault) -> Answer
  ) async throws(PasswordHashingFault) -> Answer {
    let outcome: Result<Answer, PasswordHashFault>
    do throws(HashingPoolFull) {
      outcome = try await pool.run {
        do throws(PasswordHashFault) { return .success(try work()) } catch {
          return .failure(error)
        }
      }
    } catch {
      throw .overloaded(retrySeconds: 1)
    }
    switch outcome {
    case .success(let answer): return answer
    case .failure(.outOfMemory): throw .outOfMemory
    }
  }
}
