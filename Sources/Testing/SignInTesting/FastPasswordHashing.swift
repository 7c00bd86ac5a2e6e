internal import Cryptography
public import SignInModel
public import SignInService
internal import Synchronization

/// Fast password hashes for tests.
///
/// They compare like slow ones but give no protection.
public final class FastPasswordHashing: PasswordHashing {
  private struct State {
    var hashes = 0
    var verifications = 0
    var isOverloaded = false
    var isOutOfMemory = false
    var beforeNextComparison: (@Sendable () async -> Void)?
  }

  /// The retry seconds of an overloaded call.
  public static let retrySeconds: Int64 = 2

  private let state = Mutex(State())

  public init() {}

  /// The number of passwords hashed so far.
  public var hashes: Int { state.withLock { $0.hashes } }

  /// The number of passwords compared so far.
  public var verifications: Int { state.withLock { $0.verifications } }

  /// While true, every call throws `.overloaded` and is not counted.
  public var isOverloaded: Bool {
    get { state.withLock { $0.isOverloaded } }
    set { state.withLock { $0.isOverloaded = newValue } }
  }

  /// While true, every call throws `.outOfMemory` and is not counted.
  public var isOutOfMemory: Bool {
    get { state.withLock { $0.isOutOfMemory } }
    set { state.withLock { $0.isOutOfMemory = newValue } }
  }

  /// Runs `change` once, before the next password is compared.
  public func beforeNextComparison(_ change: @escaping @Sendable () async -> Void) {
    state.withLock { $0.beforeNextComparison = change }
  }

  /// A salt that begins with `old` marks a hash with other parameters.
  public func needsRehash(_ encoded: String, of password: Secret) -> Bool {
    encoded.hasPrefix("fast$old")
  }

  public func hash(_ password: Secret) async throws(PasswordHashingFault) -> String {
    try count { $0.hashes += 1 }
    return Self.encoded(password, salt: String(hashes))
  }

  public func verify(
    _ password: Secret, against encoded: String
  ) async throws(PasswordHashingFault) -> Bool {
    try count { $0.verifications += 1 }
    let change = state.withLock { state in
      defer { state.beforeNextComparison = nil }
      return state.beforeNextComparison
    }
    await change?()
    let parts = encoded.split(separator: "$", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == "fast" else { return false }
    return Self.encoded(password, salt: String(parts[1])) == encoded
  }

  /// The hash of a password with this salt.
  public static func encoded(_ password: Secret, salt: String) -> String {
    let code = HMACSHA256.code(for: Array(password.revealed.utf8), key: Array(salt.utf8))
    return "fast$\(salt)$\(Base64URL.encode(code))"
  }

  /// The account of a hash: the text before `#` in its salt.
  static func owner(of encoded: String) -> String {
    let salt = encoded.split(separator: "$").dropFirst().first ?? ""
    return String(salt.prefix { $0 != "#" })
  }

  private func count(_ change: (inout State) -> Void) throws(PasswordHashingFault) {
    let fault = state.withLock { state -> PasswordHashingFault? in
      if state.isOutOfMemory { return .outOfMemory }
      if state.isOverloaded { return .overloaded(retrySeconds: Self.retrySeconds) }
      change(&state)
      return nil
    }
    if let fault { throw fault }
  }
}
