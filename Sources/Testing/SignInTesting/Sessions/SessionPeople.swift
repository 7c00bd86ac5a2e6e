internal import SignInModel
internal import SignInService

/// The people of worlds of sessions, and their activities.
enum SessionPeople {
  static let password = "right-of-everyone"

  static func username(_ person: Int) -> String { "person-\(person)@example.com" }

  private static func phone(_ person: Int) -> String { "+4790000\(100 + person)" }

  /// The person with this number, or `nil`.
  static func person(with phone: PhoneNumber) -> Int? {
    (0..<SimulatedKeys.devices.count).first { Self.phone($0) == phone.e164 }
  }

  static func account(_ person: Int, organizations: [String], at now: Instant) -> Account {
    let id = "person-\(person)"
    do throws(Malformed) {
      return Account(
        id: AccountID(id), email: try EmailAddress(parsing: username(person)),
        phone: try PhoneNumber(parsing: phone(person)), name: "Person \(person)", role: .mentor,
        status: .active, passwordHash: FastPasswordHashing.encoded(Secret(password), salt: id),
        organizations: organizations.map { OrganizationID($0) }, createdAt: now
      )
    } catch {
      preconditionFailure("the simulated people's own data is malformed")
    }
  }

  /// The identifier of an activity.
  ///
  /// It names the organization for the laws.
  static func activity(_ number: Int, of person: Int, in organization: String) -> String {
    "\(organization)-\(number)-person-\(person)"
  }

  static func activities(of account: Account, at now: Instant) -> [Activity] {
    account.organizations.flatMap { organization in
      (1...2).map { number in
        Activity(
          id: "\(organization.text)-\(number)-\(account.id.text)", account: account.id,
          organization: organization, title: "of " + organization.text, place: "", companion: "",
          startsAt: now, endsAt: now, status: .planned)
      }
    }
  }
}

/// A code that a person has received.
struct ReceivedCode {
  let text: String
  /// How often the person has entered it.
  var typings = 0
}
