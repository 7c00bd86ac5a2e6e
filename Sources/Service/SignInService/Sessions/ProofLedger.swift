public import SignInModel

/// The proof ledger: it remembers proofs, so that none is accepted twice (RFC 9449, section 11.1).
public protocol ProofLedger: Sendable {
  /// Records one identifier.
  ///
  /// It counts against the limits of `source`; without a source it counts against none.
  func record(
    _ identifier: String, from source: ProofSource?, until expiry: Instant, now: Instant
  ) async -> ProofVerdict

  /// Whether a proof can be recorded now.
  func isReady() async -> Bool
}

extension ProofLedger {
  public func isReady() async -> Bool { true }
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
  /// It could not be recorded, or the proofs of the other servers cannot be read now.
  case unavailable
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
