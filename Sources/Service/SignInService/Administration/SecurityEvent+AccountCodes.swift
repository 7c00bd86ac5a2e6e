import SignInModel

/// Decisions of administrators and operators.
///
/// The detail begins with an administrator's identifier, or `shell`.
extension SecurityEvent.Code {
  public static let accountCreated = Self("account.created")
  public static let accountApproved = Self("account.approved")
  public static let accountRejected = Self("account.rejected")
  /// The detail continues with the reason, if the administrator gave one.
  public static let accountDeactivated = Self("account.deactivated")
  public static let accountReactivated = Self("account.reactivated")
  /// Every record of the account was removed.
  ///
  /// Only this log contains its identifier.
  public static let accountRemoved = Self("account.removed")
  /// The personal data was erased.
  ///
  /// Only the identifier of the account is left.
  public static let accountErased = Self("account.erased")
  /// The personal data was exported.
  public static let accountExported = Self("account.exported")
  /// The detail continues with the names of the changed members, never with their values.
  ///
  /// It begins with the name of an identity provider if the provider's rules or a proposal that the
  /// person accepted made the change.
  public static let accountChanged = Self("account.changed")
  /// The detail continues with the account's new permission.
  public static let accountPermissionChanged = Self("account.permission_changed")
  /// The account proved its e-mail address.
  ///
  /// The detail says how.
  public static let emailVerified = Self("account.email_verified")
  /// The account proved its number, for example with a code that was sent there.
  ///
  /// The detail says how.
  public static let phoneVerified = Self("account.phone_verified")
  public static let accountUnlocked = Self("account.unlocked")
  /// The password was removed or replaced, and the lockout was ended.
  public static let accountReset = Self("account.reset")
  /// An administrator approved a waiting password, so it took effect early.
  public static let accountResetApproved = Self("account.reset_approved")
  public static let accountResetRejected = Self("account.reset_rejected")
  /// An invitation to choose a password was made.
  public static let accountInvited = Self("account.invited")
  /// The sessions themselves are reported as `session.ended`.
  public static let accountSignedOut = Self("account.signed_out")
  /// An administrator ended one session, which is reported as `session.ended`, too.
  public static let accountSessionEnded = Self("account.session_ended")
  /// An administrator saved a list as a table.
  ///
  /// The detail continues with the list and the number of its rows.
  public static let listExported = Self("list.exported")
  /// The detail continues with the app and the changed keys.
  public static let clientPolicyChanged = Self("policy.client_changed")
  /// The detail continues with the organization and the changed keys.
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
    _ code: SecurityEvent.Code, about account: AccountID, by rules: AccountEditingRules,
    at now: Instant
  ) throws(StoreFault) {
    try record(code, about: account, detail: rules.name, by: rules.caller, at: now)
  }
}
