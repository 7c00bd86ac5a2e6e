/// The laws for sessions in every world, despite wrong answers of storage and kills at any time.
public enum SessionLaw: String, CaseIterable, Sendable {
  case signedOutWithCause =
    "A session ends only by its person, the server, true expiry or a new install."
  case reasonIsTrue = "The reported reason for the end of a session is true."
  case ownerOnly = "Data behind a lock is shown only after its owner's proof."
  case lockedAfterBackground =
    "After the background timeout, hidden or opened again, the app shows no data."
  case signedOutStaysOut = "A session that was ended on this device is never opened again."
  case organizationsApart = "No data of one organization is shown in another."
  case noFalseReuseDetection = "A real app with lost answers or writes never counts as an attacker."
  case serverIsInformed =
    "A session that was ended on this device ends at the server, sooner or later."
  case recoversAfterFaults = "After all faults have ended, every session continues."

  public var sentence: String { rawValue }
}

/// Planted defects of a device or the server, which show that a law detects them.
public enum SessionDefect: String, CaseIterable, Sendable {
  /// Storage that is temporarily unreadable reports an absent session.
  case unreadableStorageSaysAbsent
  /// Storage loses acknowledged writes when the device stops.
  case acknowledgedWriteLost
  /// The parent of an unused successor counts as a stolen token.
  case retryTakenForReuse
  /// A sealed session opens without its owner.
  case lockedSessionOpensItself
  /// A sign-out is not reported to the server.
  case signOutNotSent
  /// The session behind a lock is forgotten after another sign-in.
  case lockedSessionNotRevoked
  /// The server always reports that a session has expired.
  case endReasonAlwaysExpired
  /// Storage that failed once fails always.
  case storageFailsForever
  /// The clocks of a device stop while time jumps.
  case clocksDoNotAdvance
  /// Storage returns a session that a pending revocation replaced.
  case storageRestoresOldSession
  /// The server returns data of the other organization.
  case answersForOtherOrganization

  public var law: SessionLaw {
    switch self {
    case .unreadableStorageSaysAbsent: .signedOutWithCause
    case .acknowledgedWriteLost, .retryTakenForReuse: .noFalseReuseDetection
    case .lockedSessionOpensItself: .ownerOnly
    case .signOutNotSent, .lockedSessionNotRevoked: .serverIsInformed
    case .endReasonAlwaysExpired: .reasonIsTrue
    case .storageFailsForever: .recoversAfterFaults
    case .clocksDoNotAdvance: .lockedAfterBackground
    case .storageRestoresOldSession: .signedOutStaysOut
    case .answersForOtherOrganization: .organizationsApart
    }
  }
}
