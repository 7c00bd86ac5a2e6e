import SignInModel
public import SignInWire

extension DataKind {
  /// The scope that a service account needs to write it.
  public var scope: ServiceScope {
    switch self {
    case .jobs: .writeJobs
    case .deliveries: .writeDeliveries
    case .activities: .writeActivities
    case .products: .writeProducts
    }
  }

  /// The role of the account, for records that name their account by a phone number.
  ///
  /// A number is unique only within a role.
  var role: AccountRole {
    switch self {
    case .jobs: .technician
    case .deliveries: .rider
    case .activities: .mentor
    case .products: .owner
    }
  }

  var notFound: Refusal {
    switch self {
    case .jobs: Refusal.noSuchJob
    case .deliveries: Refusal.noSuchDelivery
    case .activities: Refusal.noSuchActivity()
    case .products: .noSuchProduct
    }
  }
}

/// The limits for writing data.
public enum DataLimits {
  /// The largest number of items in one batch.
  public static let batchItems = 500
  /// The largest number of items in one transaction; it is small, so that sign-ins need not wait.
  static let transactionItems = 100
  /// The number of parcels in one delivery.
  public static let parcels: ClosedRange<Int64> = 1...100_000
  /// The largest number of bytes in a mentor's notes.
  public static let notesBytes = ActivityEntry.notesByteLimit
}
