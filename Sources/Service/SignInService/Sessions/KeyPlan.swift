/// A key file of a data folder.
public enum KeyFile: String, CaseIterable, Sendable {
  /// The master key: it seals the secrets in the store, and other keys are derived from it.
  case master = "master.key"
  /// Signs tokens and offline leases.
  case signing = "signing.pem"

  /// The data that cannot be used after this key is lost, one sentence for each kind.
  public var losses: [String] {
    switch self {
    case .master:
      [
        "Password hashes: everyone with a password needs a new one.",
        "Open sessions: everyone signs in again.",
        "Codes, invitations and messages that wait: they must be asked for again.",
        "The security log so far: `fieldpass events verify` cannot check it any more.",
      ]
    case .signing:
      ["Access tokens and offline leases: apps get new ones when they are online again."]
    }
  }
}

/// What to do about the key files of a data folder before its store is opened.
///
/// A new key makes data of the old key useless, so it is never created without the operator's
/// consent (L-45). A restored backup may lack its keys by mistake.
public enum KeyPlan: Equatable, Sendable {
  /// All keys exist.
  case read
  /// The store is empty, so new keys lose no data.
  case create([KeyFile])
  /// The store has data that needs these missing keys.
  case refuse([KeyFile])

  public init(missing: [KeyFile], storeHasData: Bool) {
    if missing.isEmpty {
      self = .read
    } else {
      self = storeHasData ? .refuse(missing) : .create(missing)
    }
  }
}
