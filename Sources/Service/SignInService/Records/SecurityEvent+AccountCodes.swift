import SignInModel

/// What administrators and operators decide; the detail is who did: an administrator's identifier,
/// or `shell`.
extension SecurityEvent.Code {
  public static let accountCreated = Self("account.created")
  public static let accountApproved = Self("account.approved")
  public static let accountRejected = Self("account.rejected")
  public static let accountDeactivated = Self("account.deactivated")
  public static let accountReactivated = Self("account.reactivated")
  /// Every record of it was removed; only this log still names it.
  public static let accountRemoved = Self("account.removed")
  /// Its personal data was erased; the identifier is all that is left of the person.
  public static let accountErased = Self("account.erased")
  /// Its personal data was exported.
  public static let accountExported = Self("account.exported")
  /// The detail goes on with the members that were changed, never with their values.
  public static let accountChanged = Self("account.changed")
  /// The detail goes on with what the account may administer now.
  public static let accountPermissionChanged = Self("account.permission_changed")
  /// A code that went to a changed number was given.
  public static let phoneVerified = Self("account.phone_verified")
  public static let accountUnlocked = Self("account.unlocked")
  /// Its password was forgotten or replaced, its lock opened.
  public static let accountReset = Self("account.reset")
  /// An administrator approved a waiting password, so it took effect early.
  public static let accountResetApproved = Self("account.reset_approved")
  public static let accountResetRejected = Self("account.reset_rejected")
  /// An invitation to choose a password was made.
  public static let accountInvited = Self("account.invited")
  /// The sessions themselves are reported as `session.ended`.
  public static let accountSignedOut = Self("account.signed_out")
  /// The detail goes on with the app and the keys that were changed.
  public static let clientPolicyChanged = Self("policy.client_changed")
  /// The detail goes on with the organization and the keys that were changed.
  public static let organizationPolicyChanged = Self("policy.organization_changed")
}

extension Account.Transition {
  var code: SecurityEvent.Code {
    switch self {
    case .approve: .accountApproved
    case .reject: .accountRejected
    case .deactivate: .accountDeactivated
    case .reactivate: .accountReactivated
    }
  }
}

extension EventRecords {
  func record(
    _ code: SecurityEvent.Code, about account: AccountID, by keeper: AccountKeeper,
    at now: Instant
  ) throws(StoreFault) {
    try record(code, about: account, detail: keeper.name, by: keeper.caller, at: now)
  }
}
