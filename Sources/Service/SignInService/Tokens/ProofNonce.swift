import Cryptography
import SignInModel

/// What a server may ask a proof to carry, so that nobody can have made it long before
/// (RFC 9449, section 8).
///
/// It is derived from the time, so that nothing is kept and every node knows those of the others.
enum ProofNonce {
  /// Accepted in the window it was given out in and in the next: for one to two minutes, which is
  /// less than the proof ledger remembers.
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
