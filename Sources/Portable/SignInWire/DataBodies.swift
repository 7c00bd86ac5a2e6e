public import SignInModel

/// `POST /api/password`.
public struct PasswordChangeBody: RequestBody {
  public var currentPassword: Secret?
  public var newPassword: Secret?

  public init() {}

  public mutating func visit(_ members: inout some BodyMembers) {
    members.secret(.currentPassword, &currentPassword)
    members.secret(.newPassword, &newPassword)
  }
}

/// `PATCH /api/activities/{id}`.
public struct NotesBody: RequestBody {
  public var notes: String?

  public init() {}

  public mutating func visit(_ members: inout some BodyMembers) { members.text(.notes, &notes) }
}

/// A new status of a job or a delivery.
public struct WorkStatusBody: RequestBody {
  /// The longest note that is accepted, in UTF-8 bytes.
  public static let noteByteLimit = 1024

  public var status: String?
  /// What the person says about the status, such as what the problem is.
  public var note: String?

  public init() {}

  public mutating func visit(_ members: inout some BodyMembers) {
    members.text(.status, &status)
    members.text(.statusNote, &note)
  }
}

/// A transfer of a product to the account with an e-mail address.
public struct TransferBody: RequestBody {
  public var to: String?

  public init() {}

  public mutating func visit(_ members: inout some BodyMembers) { members.text(.to, &to) }
}

/// `POST /api/service-requests`.
public struct ServiceRequestBody: RequestBody {
  public var productID: String?
  public var description: String?

  public init() {}

  public mutating func visit(_ members: inout some BodyMembers) {
    members.text(.productID, &productID)
    members.text(.description, &description)
  }
}

/// `POST /admin/accounts/{id}/invitation`.
public struct InvitationBody: RequestBody {
  /// Whether the invitation is sent to the person instead of shown.
  public var send: Bool?
  /// False for an invitation without a link, for a page of the caller.
  public var link: Bool?

  public init() {}

  public mutating func visit(_ members: inout some BodyMembers) {
    members.flag(.send, &send)
    members.flag(.link, &link)
  }
}

/// `POST /admin/accounts/{id}/password-reset/approval`.
public struct PasswordApprovalBody: RequestBody {
  /// When the password that the administrator saw becomes valid.
  public var availableAt: Instant?

  public init() {}

  public mutating func visit(_ members: inout some BodyMembers) {
    members.moment(.availableAt, &availableAt)
  }
}

/// `POST /admin/accounts/{id}/identities`.
public struct IdentityBody: RequestBody {
  public var provider: String?
  public var subject: String?

  public init() {}

  public mutating func visit(_ members: inout some BodyMembers) {
    members.text(.provider, &provider)
    members.text(.subject, &subject)
  }
}
