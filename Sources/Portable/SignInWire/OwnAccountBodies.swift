public import SignInModel

/// `PATCH /api/me`.
public struct OwnNameBody: RequestBody {
  public var name: String?

  public init() {}

  public mutating func visit(_ members: inout some BodyMembers) { members.text(.name, &name) }
}

/// `POST /api/contact-changes`.
public struct ContactChangeBody: RequestBody {
  public var email: String?
  public var phoneNumber: String?
  public var currentPassword: Secret?

  public init() {}

  public mutating func visit(_ members: inout some BodyMembers) {
    members.text(.email, &email)
    members.text(.phoneNumber, &phoneNumber)
    members.secret(.currentPassword, &currentPassword)
  }
}

/// `POST /api/contact-changes/verify`.
public struct ContactCodeBody: RequestBody {
  public var changeSession: Secret?
  public var otp: Secret?

  public init() {}

  public mutating func visit(_ members: inout some BodyMembers) {
    members.secret(.changeSession, &changeSession)
    members.secret(.otp, &otp)
  }
}

/// `POST /api/contact-changes/{id}/undo` and `POST /api/erasure`.
public struct CurrentPasswordBody: RequestBody {
  public var currentPassword: Secret?

  public init() {}

  public mutating func visit(_ members: inout some BodyMembers) {
    members.secret(.currentPassword, &currentPassword)
  }
}

/// The page of a link that takes back a change.
public struct UndoForm: RequestForm {
  public var undo: Secret?

  public init() {}

  public mutating func visit(_ fields: inout some FormFields) { fields.secret(.undo, &undo) }
}
