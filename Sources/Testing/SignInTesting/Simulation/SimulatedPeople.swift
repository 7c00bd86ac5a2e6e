internal import SignInEngine
internal import SignInFlow
internal import SignInModel
internal import SignInRules
internal import SignInService
internal import SignInWire

/// The people of the simulated worlds and their apps.
enum SimulatedPeople {
  struct Person: Equatable, Sendable {
    let account: Account
    let username: String
    let password: String

    var app: AppName {
      switch account.role {
      case .rider: .rider
      case .mentor: .mentor
      default: .technician
      }
    }
  }

  /// The organizations of each mentor.
  static let organizations = ["north", "south"]

  /// The apps; a world adds the limits of its policy.
  static let clients: [AppRegistration] = {
    var technicians = AppRegistration(
      id: ClientID("technician-app"), name: "Technicians", home: .assignedJobs,
      signIn: .passwordAndCode, roles: [.technician],
      scopes: ["openid", "offline_access", "account", "jobs"])
    technicians.policy.passwordReset = .code
    var riders = AppRegistration(
      id: ClientID("rider-app"), name: "Riders", home: .dashboard, signIn: .phoneCode,
      roles: [.rider], scopes: ["openid", "offline_access", "account", "dashboard"])
    riders.policy.disclosure = .disclosed
    riders.allowsRegistration = true
    var mentors = AppRegistration(
      id: ClientID("mentor-app"), name: "Mentors", home: .activities, signIn: .passwordAndCode,
      roles: [.mentor], scopes: ["openid", "offline_access", "account", "activities"])
    mentors.policy.passwordReset = .code
    return [technicians, riders, mentors]
  }()

  static let tara = person("tara", .technician, "+15550101234")
  static let tom = person("tom", .technician, "+15550101235")
  static let ravi = person("ravi", .rider, "+919812345678")
  /// She has no account at first but may register.
  static let asha = person("asha", .rider, "+919812345670")
  static let mia = person("mia", .mentor, "+4790000100")
  static let max = person("max", .mentor, "+4790000101")

  static let ofSignIns = [tara, tom, ravi]
  /// The people of each device, repeated by how often they use it.
  static let atFirstDevice = [tara, tara, tara, tara, ravi]
  static let atSecondDevice = [tara, tara, tom, ravi, asha]
  /// The same in worlds about sessions, in which two devices have different owners.
  static let ofFirstSession = [mia, mia, mia, mia, tara]
  static let ofSecondSession = [max, max, max, tom, ravi]

  private static func person(_ name: String, _ role: AccountRole, _ phone: String) -> Person {
    let username = name + "@example.com"
    let password = "right-of-" + name
    do throws(Malformed) {
      return Person(
        account: Account(
          id: AccountID(name),
          email: role == .rider ? nil : try EmailAddress(parsing: username),
          phone: try PhoneNumber(parsing: phone), name: name, role: role, status: .active,
          passwordHash: role == .rider
            ? nil : FastPasswordHashing.encoded(Secret(password), salt: name),
          organizations: role == .mentor ? organizations.map { OrganizationID($0) } : [],
          createdAt: Simulation.start, emailProof: role == .rider ? nil : .administrator,
          phoneProof: .administrator
        ),
        username: username, password: password
      )
    } catch {
      preconditionFailure("the simulated people's own data is malformed")
    }
  }

  // MARK: Activities

  /// The identifier of an activity.
  ///
  /// It names the organization for the laws.
  static func activity(_ number: Int, of person: Person, in organization: String) -> String {
    "\(organization)-\(number)-\(person.account.id.text)"
  }

  static func activities(of person: Person) -> [Activity] {
    person.account.organizations.flatMap { organization in
      (1...2).map { number in
        Activity(
          id: activity(number, of: person, in: organization.text), account: person.account.id,
          organization: organization, title: "of " + organization.text, place: "", companion: "",
          startsAt: Simulation.start, endsAt: Simulation.start, status: .planned)
      }
    }
  }
}

extension Account {
  /// The number, which every account of these worlds has.
  var number: PhoneNumber {
    guard let phone else { preconditionFailure("an account without a number") }
    return phone
  }
}
