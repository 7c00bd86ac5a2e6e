/// A key file of a data folder.
public enum KeyFile: String, CaseIterable, Sendable {
  /// Seals and derives everything that a store keeps secret.
  case master = "master.key"
  /// Signs tokens and offline leases.
  case signing = "signing.pem"

  /// What cannot be used any more once this key is lost, one sentence each.
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
/// A new key beside data that was made with the old one loses that data, so it is never made
/// silently (L-45): a restored backup may lack its keys by mistake.
public enum KeyPlan: Equatable, Sendable {
  /// Every key is there.
  case read
  /// The store is empty: new keys lose nothing.
  case create([KeyFile])
  /// The store has data that was made with these keys.
  case refuse([KeyFile])

  public init(missing: [KeyFile], storeHasData: Bool) {
    if missing.isEmpty {
      self = .read
    } else {
      self = storeHasData ? .refuse(missing) : .create(missing)
    }
  }
}
