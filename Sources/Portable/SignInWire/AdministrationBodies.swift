public import JSONText
public import SignInModel

/// The members of an account that an administrator creates or changes.
///
/// `POST /admin/accounts` also has a `FirstPasswordBody`, and `PATCH /admin/accounts/{id}` a
/// `StatusChangeBody`.
public struct AccountBody: RequestBody {
  public var name: String?
  public var email: NullableText?
  /// In E.164 form.
  public var phone: NullableText?
  public var role: String?
  public var organizations: [String]?
  public var permissions: [PermissionBody]?

  public init() {}

  public mutating func visit(_ members: inout some BodyMembers) {
    members.text(.name, &name)
    members.nullable(.email, &email)
    members.nullable(.phoneNumber, &phone)
    members.text(.role, &role)
    members.texts(.organizations, &organizations)
    members.objects(.permissions, &permissions)
  }
}

/// One permission of an administrator in a request.
public struct PermissionBody: RequestBody {
  public var level: String?
  /// Absent for all organizations.
  ///
  /// Null is refused, so that a missing value never gives a permission for all of them.
  public var organization: NullableText?

  public init() {}

  public init(_ entry: PermissionEntry) {
    level = entry.level
    organization = entry.organization.map { .text($0.text) }
  }

  public mutating func visit(_ members: inout some BodyMembers) {
    members.text(.level, &level)
    members.nullable(.organization, &organization)
  }
}

/// The password of an account that an administrator creates.
public struct FirstPasswordBody: RequestBody {
  public var password: Secret?

  public init() {}

  public mutating func visit(_ members: inout some BodyMembers) {
    members.secret(.password, &password)
  }
}

/// `POST /admin/products`.
public struct ProductImportBody: RequestBody {
  /// The e-mail address of the owner.
  public var owner: String?
  /// A list of objects, with the members of `ProductEntry`.
  public var products: JSON?

  public init() {}

  public mutating func visit(_ members: inout some BodyMembers) {
    members.text(.owner, &owner)
    members.value(.products, &products)
  }
}

/// Several records of other systems.
public struct DataBatchBody: RequestBody {
  /// A list of objects, with the members of one kind of data.
  public var items: JSON?

  public init() {}

  public mutating func visit(_ members: inout some BodyMembers) { members.value(.items, &items) }
}

/// `POST /dev/clock`.
public struct ClockBody: RequestBody {
  public var advanceSeconds: Int64?

  public init() {}

  public mutating func visit(_ members: inout some BodyMembers) {
    members.count(.advance, &advanceSeconds)
  }
}

/// `POST /dev/accounts`.
public struct LoadAccountsBody: RequestBody {
  public var count: Int64?

  public init() {}

  public mutating func visit(_ members: inout some BodyMembers) { members.count(.count, &count) }
}

/// A new status of an account, at `PATCH /admin/accounts/{id}`.
public struct StatusChangeBody: RequestBody {
  public var status: String?
  /// Why the account is deactivated.
  public var reason: String?

  public init() {}

  public mutating func visit(_ members: inout some BodyMembers) {
    members.text(.status, &status)
    members.text(.reason, &reason)
  }
}
