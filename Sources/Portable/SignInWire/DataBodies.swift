public import SignInModel

/// `POST /api/password`.
public struct PasswordChangeBody: RequestContent {
  public var currentPassword: Secret?
  public var newPassword: Secret?

  public init() {}

  public mutating func visit(_ fields: inout some RequestFields) {
    fields.secret(.currentPassword, &currentPassword)
    fields.secret(.newPassword, &newPassword)
  }
}

/// `PATCH /api/activities/{id}`.
public struct NotesBody: RequestContent {
  public var notes: String?

  public init() {}

  public mutating func visit(_ fields: inout some RequestFields) { fields.text(.notes, &notes) }
}

/// A new status of a job or a delivery.
public struct StatusBody: RequestContent {
  public var status: String?

  public init() {}

  public mutating func visit(_ fields: inout some RequestFields) { fields.text(.status, &status) }
}

/// A transfer of a product to the account with an e-mail address.
public struct TransferBody: RequestContent {
  public var to: String?

  public init() {}

  public mutating func visit(_ fields: inout some RequestFields) { fields.text(.to, &to) }
}

/// `POST /api/service-requests`.
public struct ServiceRequestBody: RequestContent {
  public var productID: String?
  public var description: String?

  public init() {}

  public mutating func visit(_ fields: inout some RequestFields) {
    fields.text(.productID, &productID)
    fields.text(.description, &description)
  }
}

/// `POST /admin/accounts/{id}/invitation`.
public struct InvitationBody: RequestContent {
  /// Whether the invitation is sent to the person instead of shown.
  public var send: Bool?

  public init() {}

  public mutating func visit(_ fields: inout some RequestFields) { fields.flag(.send, &send) }
}

/// `POST /admin/accounts/{id}/password-reset/approval`.
public struct PasswordApprovalBody: RequestContent {
  /// When the password that the administrator saw becomes valid.
  public var availableAt: Instant?

  public init() {}

  public mutating func visit(_ fields: inout some RequestFields) {
    fields.moment(.availableAt, &availableAt)
  }
}

/// `POST /admin/accounts/{id}/identities`.
public struct IdentityBody: RequestContent {
  public var provider: String?
  public var subject: String?

  public init() {}

  public mutating func visit(_ fields: inout some RequestFields) {
    fields.text(.provider, &provider)
    fields.text(.subject, &subject)
  }
}
