public import SignInWire

/// A kind of record that other systems write: `PUT /admin/jobs/{id}` and its likes.
public enum DataKind: String, CaseIterable, Sendable {
  case jobs
  case deliveries
  case activities
  case products

  /// What a service account needs to write it.
  public var scope: ServiceScope {
    switch self {
    case .jobs: .writeJobs
    case .deliveries: .writeDeliveries
    case .activities: .writeActivities
    case .products: .writeProducts
    }
  }

  /// The role of the accounts that are searched where a record names its account by a phone number:
  /// a number is unique within a role only.
  var role: Account.Role {
    switch self {
    case .jobs: .technician
    case .deliveries: .rider
    case .activities: .mentor
    case .products: .owner
    }
  }

  var notFound: ErrorAnswer {
    switch self {
    case .jobs: ErrorAnswer(.jobNotFound, "no such job")
    case .deliveries: ErrorAnswer(.deliveryNotFound, "no such delivery")
    case .activities: ErrorAnswer(.activityNotFound, "no such activity")
    case .products: .noSuchProduct
    }
  }
}

/// The numbers of writing data.
public enum DataLimits {
  /// Items of one batch.
  public static let batchItems = 500
  /// Items that are decided in one transaction, so that sign-ins wait for few of them.
  static let transactionItems = 100
  /// Parcels of one delivery.
  public static let parcels: ClosedRange<Int64> = 1...100_000
  /// Bytes of a mentor's notes.
  public static let notesBytes = ActivityEntry.notesByteLimit
}
