public import SignInModel

/// The accounts of the demo and their data.
///
/// The documentation and the tests use the same data.
public enum Demo {
  /// An account of the demo and its password, if it has one.
  public struct Person: Sendable {
    public let account: Account
    public let password: Secret?
  }

  public static let people: [Person] = [
    person(
      "technician", "Tara Lind", .technician, "tech@example.com", "demo-Technician-1",
      "+15550101234"
    ),
    person(
      "former-technician", "Fredrik Moen", .technician, "former@example.com", "demo-Technician-2",
      "+15550101235", status: .deactivated
    ),
    person("rider", "Ravi Kumar", .rider, nil, nil, "+919812345678"),
    person("pending-rider", "Priya Nair", .rider, nil, nil, "+919812345679", status: .pending),
    person("owner", "Olivia Berg", .owner, "owner@example.com", "demo-Owner-1", "+15550101236"),
    person(
      "new-owner", "Noah Dahl", .owner, "new-owner@example.com", "demo-Owner-2", "+15550101237"
    ),
    person(
      "mentor", "Maja Solberg", .mentor, "mentor@example.com", "demo-Mentor-1", "+4790000001",
      organizations: ["north", "south"]
    ),
    person(
      "administrator", "Ada Holm", .administrator, "admin@example.com", "demo-Admin-1",
      "+15550101238"
    ),
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
    let technician = AccountID("technician")
    func job(
      _ number: Int64, day: Int64, from: Int64, minutes: Int64, _ title: String, _ customer: String,
      _ place: String, _ status: Job.Status
    ) -> Job {
      let start = Instant(
        milliseconds: midnight + day * dayMilliseconds + from * 60_000
      )
      return Job(
        id: "job-\(number)", account: technician, title: title, customer: customer, place: place,
        startsAt: start, endsAt: start.adding(seconds: minutes * 60), status: status
      )
    }
    return [
      job(
        1041, day: 0, from: 8 * 60, minutes: 90, "Heat pump: annual service", "Hansen family",
        "14 Birch Lane", .done),
      job(
        1042, day: 0, from: 10 * 60 + 30, minutes: 60, "Dishwasher does not drain",
        "Café Lyng", "2 Harbour Street", .inProgress),
      job(
        1043, day: 0, from: 13 * 60, minutes: 120, "Install washing machine", "Nora Eide",
        "77 Mill Road, 3rd floor", .scheduled),
      job(
        1044, day: 0, from: 15 * 60 + 45, minutes: 45, "Oven shows error E-21",
        "Fjord Hotel, kitchen", "1 Quay Square", .scheduled),
      job(
        1045, day: 1, from: 9 * 60, minutes: 60, "Replace door seal, fridge", "Ola Vik",
        "5 Meadow Close", .scheduled),
      job(
        1046, day: 1, from: 11 * 60, minutes: 90, "Warranty inspection: dryer",
        "Sunrise Laundry", "30 Station Road", .scheduled),
    ]
  }

  private static func person(
    _ id: String, _ name: String, _ role: Account.Role, _ email: String?, _ password: String?,
    _ phone: String, status: Account.Status = .active, organizations: [String] = []
  ) -> Person {
    Person(
      account: Account(
        id: AccountID(id), email: email.map { known($0, EmailAddress.init(parsing:)) },
        phone: known(phone, PhoneNumber.init(parsing:)), name: name, role: role, status: status,
        passwordHash: nil, organizations: organizations.map { OrganizationID($0) },
        permission: role == .administrator ? .everything : .none,
        createdAt: Instant(seconds: 1_767_225_600), isDemo: true
      ),
      password: password.map { Secret($0) }
    )
  }

  private static func known<Value>(
    _ text: String, _ parse: (String) throws(Malformed) -> Value
  ) -> Value {
    do throws(Malformed) { return try parse(text) } catch {
      preconditionFailure("the demo's own data is malformed: \(text)")
    }
  }
}
