internal import SignInModel
internal import SignInRules
internal import SignInService
internal import SignInWire

/// The people of a simulated world and their two apps.
enum SimulatedPeople {
  struct Person: Sendable {
    let account: Account
    let username: String
    let password: String
  }

  /// The idle timeout of sessions.
  ///
  /// It is short, so that sessions expire during one simulated world.
  static let idleSeconds: Int64 = 30 * 60

  static let technicians: AppRegistration = {
    var client = AppRegistration(
      id: ClientID("technician-app"), name: "Technicians", home: .assignedJobs,
      signIn: .passwordAndCode, roles: [.technician], scopes: ["openid", "offline_access", "jobs"]
    )
    client.policy.passwordReset = .code
    return shortLived(client)
  }()

  static let riders: AppRegistration = {
    var client = AppRegistration(
      id: ClientID("rider-app"), name: "Riders", home: .dashboard, signIn: .phoneCode,
      roles: [.rider], scopes: ["openid", "offline_access", "dashboard"]
    )
    client.policy.disclosure = .disclosed
    client.allowsRegistration = true
    return shortLived(client)
  }()

  private static func shortLived(_ client: AppRegistration) -> AppRegistration {
    var client = client
    client.policy[.accessToken] = 60
    client.policy[.idle] = idleSeconds
    client.policy[.session] = 2 * 60 * 60
    return client
  }

  static let clients = [technicians, riders]

  static let tara = person("tara", .technician, "+15550101234")
  static let tom = person("tom", .technician, "+15550101235")
  static let ravi = person("ravi", .rider, "+919812345678")
  static let all = [tara, tom, ravi]
  /// The people of each device, repeated by how often they use it.
  static let atFirstDevice = [tara, tara, tara, tara, ravi]
  static let atSecondDevice = [tara, tara, tom, ravi, asha]
  /// She has no account at first but may register.
  static let asha = person("asha", .rider, "+919812345670")

  static func client(of person: Person) -> AppRegistration {
    person.account.role == .rider ? riders : technicians
  }

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
          organizations: [], createdAt: Simulation.start
        ),
        username: username, password: password
      )
    } catch {
      preconditionFailure("the simulated people's own data is malformed")
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
