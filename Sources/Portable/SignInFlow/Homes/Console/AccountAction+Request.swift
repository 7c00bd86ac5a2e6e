import JSONText
import SignInEngine
import SignInModel
import SignInWire

extension AccountAction {
  /// How long an export may take, in seconds.
  ///
  /// The security log of an account may be long.
  static let exportTimeoutSeconds: Int64 = 120

  /// The permission level that the server requires.
  var level: ConsoleAdministrator.Level {
    switch self {
    case .approve, .reject, .deactivate, .reactivate, .invite, .cancelErasure, .export, .erase:
      .administrator
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
    if account.erasureAt != nil { actions.append(.cancelErasure) }
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
    case .cancelErasure: return .delete(.adminErasure(id))
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

extension ConsoleNotice {
  init(_ answer: Answer, at now: Instant) {
    switch answer.refusal {
    case .ownAccount: self = .ownAccount
    case .illegalTransition, .passwordAlreadySet, .passwordResetNotFound, .changeNotFound:
      self = .accountChangedElsewhere
    case .appPageMissing: self = .appPageMissing
    case .accountNotFound: self = .accountGone
    case .accountExists: self = .accountExists
    case .productNotFound: self = .productGone
    case .permissionDenied: self = .notPermitted
    case .lastAdministrator: self = .lastAdministrator
    case .invalidRequest: self = .refused
    default: self = .failed(answer.notice(at: now))
    }
  }
}
