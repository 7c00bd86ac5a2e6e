internal import Cryptography
public import SignInModel
public import SignInService
internal import Synchronization

/// Hashes passwords at once, for tests: as honest about equality as the slow one, and no safer
/// than the text itself.
public final class FastPasswordHashing: PasswordHashing {
  /// What was asked of it so far.
  public struct Counts: Equatable, Sendable {
    public var hashes = 0
    public var verifications = 0
  }

  private struct State {
    var counts = Counts()
    var overload: Int64?
  }

  private let state = Mutex(State())

  public init() {}

  public var counts: Counts { state.withLock { $0.counts } }

  /// From now on every call faults with `.overloaded(retrySeconds:)`; nil ends it.
  public func setOverload(retrySeconds: Int64?) {
    state.withLock { $0.overload = retrySeconds }
  }

  public func hash(_ password: Secret) async throws(PasswordHashingFault) -> String {
    try count { $0.hashes += 1 }
    return Self.encoded(password, salt: String(counts.hashes))
  }

  public func verify(
    _ password: Secret, against encoded: String
  ) async throws(PasswordHashingFault) -> Bool {
    try count { $0.verifications += 1 }
    let parts = encoded.split(separator: "$", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == "fast" else { return false }
    return Self.encoded(password, salt: String(parts[1])) == encoded
  }

  private static func encoded(_ password: Secret, salt: String) -> String {
    let code = HMACSHA256.code(for: Array(password.revealed.utf8), key: Array(salt.utf8))
    return "fast$\(salt)$\(Base64URL.encode(code))"
  }

  private func count(_ change: (inout Counts) -> Void) throws(PasswordHashingFault) {
    let overload = state.withLock { state in
      if state.overload == nil { change(&state.counts) }
      return state.overload
    }
    if let overload { throw .overloaded(retrySeconds: overload) }
  }
}
