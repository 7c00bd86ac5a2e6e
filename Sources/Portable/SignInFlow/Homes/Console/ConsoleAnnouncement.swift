public import SignInEngine
public import SignInWire

/// What a screen reader says in the console only.
public enum ConsoleAnnouncement: Equatable, Sendable {
  case notice(ConsoleNotice)
  case policyValueRefused(PolicyFault)
  case accountFault(AccountFault)
  case transferRefused(TransferFault)
  case accountsListed(Int64)
  case accountsSelected(Int64)
  case productsListed(Int64)
  /// The number of these values of a policy that the filter allows.
  case valuesListed(PolicyFilter, [PolicyValue])
}

/// What the console says about the result of an action.
public enum ConsoleNotice: Equatable, Sendable {
  case done(AccountAction)
  /// The account was created; `needsPassword` if the person must set a password.
  case created(needsPassword: Bool)
  /// The account was changed, with these further consequences.
  case edited([AccountChangeConsequence])
  case nothingChanged
  /// That many of the selected accounts were approved.
  case approvedSeveral(Int64, of: Int64)
  /// The list was saved as a table.
  case listExported
  case notPermitted
  case lastAdministrator
  /// The server refuses a typed value as malformed.
  case refused
  case ownAccount
  /// No app in which the person could choose a password has a page.
  case appPageMissing
  case accountChangedElsewhere
  case accountGone
  case accountExists
  case productTransferred
  case productGone
  case policySaved
  case policyRestored
  case policyChangedElsewhere
  case policyGone
  /// The value does not fit the other values.
  case policyRefused(PolicyKey)
  case failed(Notice)

  public var isSuccess: Bool {
    switch self {
    case .approvedSeveral(let approved, let total): approved == total
    case .done, .created, .edited, .listExported, .productTransferred, .policySaved,
      .policyRestored:
      true
    case .nothingChanged, .notPermitted, .lastAdministrator, .refused, .ownAccount,
      .appPageMissing,
      .accountChangedElsewhere, .accountGone, .accountExists, .productGone,
      .policyChangedElsewhere, .policyGone, .policyRefused, .failed:
      false
    }
  }
}

/// What an administrator does with an account, after a confirmation.
public enum AccountAction: String, Sendable, CaseIterable {
  case approve
  case reject
  case deactivate
  case reactivate
  case unlock
  case endSessions = "end_sessions"
  /// Ends the session that the person chose in the list of sessions.
  case endSession = "end_session"
  /// Approves a new password that was chosen on an unknown device and has not taken effect.
  case approvePassword = "approve_password"
  case rejectPassword = "reject_password"
  /// Keeps an account whose person asked for its erasure.
  case cancelErasure = "cancel_erasure"
  /// The server sends the person an invitation to set a password, and does not show it.
  case sendInvitation = "send_invitation"
  /// Shows the invitation to the administrator, who gives it to the person.
  case invite
  case resetPassword = "reset_password"
  /// Saves all data that is stored about the person, as a file.
  case export
  case erase
}

/// Why a typed or chosen value cannot be saved.
public enum AccountFault: Equatable, Sendable {
  case nameNeeded
  case nameTooLong
  case emailMalformed
  /// Only riders sign in without an e-mail address.
  case emailNeeded
  case emailTaken
  case phoneMalformed
  /// It is not known whether the zero after the calling code belongs to the number.
  case phoneZeroDoubtful
  /// The account has no identity at an identity provider, so its number cannot be removed.
  case phoneNeeded
  case phoneTaken
  case organizationNeeded
  /// An administrator without a permission may do nothing.
  case permissionNeeded
}

/// A further effect of a change that was saved.
public enum AccountChangeConsequence: Equatable, Sendable, CaseIterable {
  case newPhone
  case removedPhone
  case newEmail
  case newRole
  case lostOrganization
}

/// Why a typed value cannot be saved.
public enum PolicyFault: Equatable, Sendable {
  case number(ClosedRange<Int64>)
  /// In seconds.
  case time(ClosedRange<Int64>)
  /// In millionths of the operator's currency.
  case amount(ClosedRange<Int64>)
  case callingCodes
  case message
  case unchanged
}

/// Why a product cannot be transferred to the typed address.
public enum TransferFault: Equatable, Sendable, CaseIterable {
  case addressNeeded
  case addressMalformed
  case alreadyOwner
  /// Only a global administrator can transfer a product to an address without a visible account.
  case accountUnknown
}
