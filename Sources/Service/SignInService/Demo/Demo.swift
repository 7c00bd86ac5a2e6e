public import SignInModel

/// The accounts of the demo and their data.
///
/// The documentation and the tests use the same data.
public enum Demo {
  /// An account of the demo and its password, if it has one.
  public struct Person: Sendable {
    public let account: Account
    public let password: Secret?

    fileprivate init(
      _ account: Account, password: String? = nil, status: AccountStatus = .active,
      organizations: [String] = []
    ) {
      var account = account
      account.status = status
      account.organizations = organizations.map { OrganizationID($0) }
      self.account = account
      self.password = password.map { Secret($0) }
    }
  }

  public static let people: [Person] = [
    Person(
      account("technician", "Tara Lind", .technician, "+15550101234", "tech@example.com"),
      password: "demo-Technician-1"),
    Person(
      account(
        "former-technician", "Fredrik Moen", .technician, "+15550101235", "former@example.com"),
      password: "demo-Technician-2", status: .deactivated),
    Person(account("rider", "Ravi Kumar", .rider, "+919812345678")),
    Person(account("pending-rider", "Priya Nair", .rider, "+919812345679"), status: .pending),
    Person(
      account("owner", "Olivia Berg", .owner, "+15550101236", "owner@example.com"),
      password: "demo-Owner-1"),
    Person(
      account("new-owner", "Noah Dahl", .owner, "+15550101237", "new-owner@example.com"),
      password: "demo-Owner-2"),
    Person(
      account("mentor", "Maja Solberg", .mentor, "+4790000001", "mentor@example.com"),
      password: "demo-Mentor-1", organizations: ["north", "south"]),
    Person(
      account("administrator", "Ada Holm", .administrator, "+15550101238", "admin@example.com"),
      password: "demo-Admin-1"),
  ]

  /// The first digits of certain numbers.
  ///
  /// Messages to these numbers must not leave this machine.
  ///
  /// No area of +1 has the code 555, so these numbers are always demo numbers. Real people can have
  /// the other demo numbers, so in production those are ordinary numbers.
  public static func undeliverableNumbers(isDevelopment: Bool) -> [String] {
    let invented = "+1555"
    let others = people.compactMap(\.account.phone?.e164).filter { !$0.hasPrefix(invented) }
    return [invented] + (isDevelopment ? others : [])
  }

  /// The technician's jobs around the day of `now`.
  public static func jobs(at now: Instant) -> [Job] {
    let dayMilliseconds: Int64 = 24 * 60 * 60 * 1000
    let midnight = now.milliseconds - now.milliseconds % dayMilliseconds
    typealias Row = (
      number: Int64, day: Int64, from: Int64, minutes: Int64, title: String, customer: String,
      place: String, status: Job.Status
    )
    let rows: [Row] = [
      (1041, 0, 8 * 60, 90, "Heat pump: annual service", "Hansen family", "14 Birch Lane", .done),
      (
        1042, 0, 10 * 60 + 30, 60, "Dishwasher does not drain", "Café Lyng", "2 Harbour Street",
        .inProgress
      ),
      (
        1043, 0, 13 * 60, 120, "Install washing machine", "Nora Eide", "77 Mill Road, 3rd floor",
        .scheduled
      ),
      (
        1044, 0, 15 * 60 + 45, 45, "Oven shows error E-21", "Fjord Hotel, kitchen", "1 Quay Square",
        .scheduled
      ),
      (1045, 1, 9 * 60, 60, "Replace door seal, fridge", "Ola Vik", "5 Meadow Close", .scheduled),
      (
        1046, 1, 11 * 60, 90, "Warranty inspection: dryer", "Sunrise Laundry", "30 Station Road",
        .scheduled
      ),
    ]
    return rows.map { row in
      let start = Instant(milliseconds: midnight + row.day * dayMilliseconds + row.from * 60_000)
      return Job(
        id: "job-\(row.number)", account: AccountID("technician"), title: row.title,
        customer: row.customer, place: row.place, startsAt: start,
        endsAt: start.adding(seconds: row.minutes * 60), status: row.status,
        phone: "+47220010\(row.number % 100)",
        instructions: row.number % 2 == 0 ? "Ring the bell at the back door." : nil)
    }
  }

  private static func account(
    _ id: String, _ name: String, _ role: AccountRole, _ phone: String, _ email: String? = nil
  ) -> Account {
    Account(
      id: AccountID(id), email: email.map { known($0, EmailAddress.init(parsing:)) },
      phone: known(phone, PhoneNumber.init(parsing:)), name: name, role: role, status: .active,
      passwordHash: nil, organizations: [],
      permission: role == .administrator ? .everything : .none,
      createdAt: Instant(seconds: 1_767_225_600), isDemo: true,
      emailProof: email == nil ? nil : .operatorCommand, phoneProof: .operatorCommand)
  }

  private static func known<Value>(
    _ text: String, _ parse: (String) throws(Malformed) -> Value
  ) -> Value {
    do throws(Malformed) { return try parse(text) } catch {
      preconditionFailure("the demo's own data is malformed: \(text)")
    }
  }
}
