import Cryptography
import SignInModel

/// The nonce that a server may require in a proof, so that a proof cannot be made long before its
/// use (RFC 9449, section 8).
///
/// It is derived from the time, so that nothing is stored and all nodes have the same nonces.
enum ProofNonce {
  /// A nonce is accepted in the time window in which it was given out and in the next one: for one
  /// to two minutes.
  ///
  /// The proof ledger remembers proofs for longer.
  static let windowSeconds: Int64 = 60

  static func current(at now: Instant, keyring: Keyring) -> String {
    keyring.proofNonce(window: now.seconds / windowSeconds)
  }

  static func isFresh(_ text: String, at now: Instant, keyring: Keyring) -> Bool {
    let window = now.seconds / windowSeconds
    let given = Array(text.utf8)
    return [window, window - 1].contains {
      ConstantTime.equal(given, Array(keyring.proofNonce(window: $0).utf8))
    }
  }
}
