import JSONText
import SignInModel
public import SignInWire

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
  /// The server sends the person an invitation to set a password, and does not show it.
  case sendInvitation = "send_invitation"
  /// Shows the invitation to the administrator, who gives it to the person.
  case invite
  case resetPassword = "reset_password"
  /// Saves all data that is stored about the person, as a file.
  case export
  case erase

  /// How long an export may take, in seconds.
  ///
  /// The security log of an account may be long.
  static let exportTimeoutSeconds: Int64 = 120

  /// The permission level that the server requires.
  var level: ConsoleAdministrator.Level {
    switch self {
    case .approve, .reject, .deactivate, .reactivate, .invite, .export, .erase: .administrator
    case .unlock, .endSessions, .endSession, .approvePassword, .rejectPassword, .sendInvitation,
      .resetPassword:
      .support
    }
  }

  /// The actions on all data that is stored about the person.
  static let ofData: [AccountAction] = [.export, .erase]

  /// The actions that the account's state allows, the most likely one first.
  static func offered(for account: AccountEntry, hasSessions: Bool) -> [AccountAction] {
    var actions: [AccountAction] = []
    switch AccountStatus(rawValue: account.status) {
    case .pending: actions = [.approve, .reject]
    case .rejected: actions = [.approve]
    case .deactivated: actions = [.reactivate]
    case .active, nil: break
    }
    if account.passwordAvailableAt != nil { actions += [.approvePassword, .rejectPassword] }
    if mayBeInvited(account) { actions += [.sendInvitation, .invite] }
    if account.lockedUntil != nil || account.failuresInRow > 0 { actions.append(.unlock) }
    if hasSessions { actions.append(.endSessions) }
    if account.isActive {
      if account.email != nil, account.hasPassword { actions.append(.resetPassword) }
      actions.append(.deactivate)
    }
    return actions
  }

  /// Whether the person can set a password with an invitation.
  ///
  /// Riders sign in without a password. The codes of a sign-in need a number.
  static func mayBeInvited(_ account: AccountEntry) -> Bool {
    account.isActive && account.email != nil && account.phone != nil && !account.hasPassword
      && account.role != AccountRole.rider.rawValue
  }

  /// `reason` is sent with a deactivation only.
  func apiRequest(
    for account: AccountEntry, _ session: SessionID?, reason: String = "", key: String
  ) -> APIRequest {
    let id = Endpoint.Segment(account.id.text)
    switch self {
    case .approve, .reactivate:
      return .patch(.adminAccount(id), Self.status(.active), idempotencyKey: key)
    case .reject: return .patch(.adminAccount(id), Self.status(.rejected), idempotencyKey: key)
    case .deactivate:
      return .patch(.adminAccount(id), Self.status(.deactivated, reason), idempotencyKey: key)
    case .unlock: return .post(.adminUnlock(id), .object([]), idempotencyKey: key)
    case .endSessions: return .delete(.adminSessions(id))
    case .endSession: return .delete(.adminSession(id, Endpoint.Segment(session?.text ?? "")))
    case .approvePassword:
      // Names the password that is shown, because another one may have replaced it.
      let body = PasswordApprovalBody { $0.availableAt = account.passwordAvailableAt }
      return .post(.adminPasswordApproval(id), body.json, idempotencyKey: key)
    case .rejectPassword: return .delete(.adminPasswordReset(id))
    case .invite: return .post(.adminInvitation(id), .object([]), idempotencyKey: key)
    case .sendInvitation:
      let body = InvitationBody { $0.send = true }.json
      return .post(.adminInvitation(id), body, idempotencyKey: key)
    case .resetPassword: return .post(.adminReset(id), .object([]), idempotencyKey: key)
    case .export:
      // Only the identifier and no name, because file names remain in lists of downloads.
      return .file(
        .adminExport(id), as: "account-" + account.id.text + ".json",
        timeoutSeconds: Self.exportTimeoutSeconds)
    case .erase: return .delete(.adminAccount(id))
    }
  }

  private static func status(_ status: AccountStatus, _ reason: String = "") -> JSON {
    StatusChangeBody {
      $0.status = status.rawValue
      $0.reason = reason.isEmpty ? nil : reason
    }.json
  }
}

extension AccountEntry {
  fileprivate var isActive: Bool { status == AccountStatus.active.rawValue }
}

/// What the console says about the result of an action.
public enum ConsoleNotice: Equatable, Sendable {
  case done(AccountAction)
  /// The account was created; `needsPassword` if the person must set a password.
  case created(needsPassword: Bool)
  /// The account was changed, with these further consequences.
  case edited([AccountEditor.Consequence])
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
  case accountChangedElsewhere
  case accountGone
  case accountExists
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
    case .done, .created, .edited, .listExported, .policySaved, .policyRestored: true
    case .nothingChanged, .notPermitted, .lastAdministrator, .refused, .ownAccount,
      .accountChangedElsewhere, .accountGone, .accountExists, .policyChangedElsewhere,
      .policyGone, .policyRefused, .failed:
      false
    }
  }

  init(_ answer: Answer, at now: Instant) {
    switch answer.refusal {
    case .ownAccount: self = .ownAccount
    case .illegalTransition, .passwordAlreadySet, .passwordResetNotFound:
      self = .accountChangedElsewhere
    case .accountNotFound: self = .accountGone
    case .accountExists: self = .accountExists
    case .permissionDenied: self = .notPermitted
    case .lastAdministrator: self = .lastAdministrator
    case .invalidRequest: self = .refused
    default: self = .failed(answer.notice(at: now))
    }
  }
}
