internal import SignInModel
internal import Synchronization

/// When and where a token is accepted, as its bytes say.
struct TokenValidity: Sendable {
  /// The identifier of the key that signed the token.
  let keyID: String
  /// The first second in which the token is no longer accepted.
  let expiry: Int64
  let isForThisServer: Bool

  /// Whether the token is accepted for this audience now, and its key still is.
  func isValid(
    for audience: AccessToken.Audience, at now: Instant, keys: SigningKeys
  ) -> Bool {
    guard now.seconds < expiry, keys.accepted(named: keyID, at: now) != nil else { return false }
    switch audience {
    case .thisServer: return isForThisServer
    case .any: return true
    }
  }
}

/// Remembers what access tokens of people say, because reading one costs more than most decisions
/// about it.
///
/// An entry follows from the bytes of a token with a valid signature and from nothing else. Each
/// use checks its end and its key, so a token of a key that was replaced is refused at once.
/// Whether the session continues, and what its account may do, is read from the store at each
/// request.
final class ParsedTokens: Sendable {
  /// Tokens in one generation.
  ///
  /// Each takes about 600 bytes.
  static let generationLimit = 4096

  struct Entry: Sendable {
    let token: AccessToken
    let validity: TokenValidity
  }

  private let entries = Mutex(GenerationCache<TokenMark, Entry>(limit: generationLimit))

  subscript(mark: TokenMark) -> Entry? { entries.withLock { $0[mark] } }

  func remember(_ entry: Entry, for mark: TokenMark) {
    entries.withLock { $0.remember(entry, for: mark) }
  }
}
