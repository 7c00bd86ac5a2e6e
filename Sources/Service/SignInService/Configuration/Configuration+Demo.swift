import SignInModel
import SignInWire

extension Configuration {
  /// The default configuration in development: the five apps and the two organizations of the demo
  /// accounts.
  public static var demo: Configuration {
    var configuration = Configuration()
    configuration.organizations = [
      Organization(id: OrganizationID("north"), name: "North"),
      Organization(id: OrganizationID("south"), name: "South"),
    ]
    configuration.clients = [demoTechnicians, demoRiders, demoOwners, demoMentors, demoConsole]
      .map(withDemoLimits)
    configuration.messengers = [Messenger(name: "inbox", kind: Messenger.inbox)]
    return configuration
  }

  /// A person who tries out the demo starts many more sign-ins in an hour than usual.
  ///
  /// Messages to demo numbers are not sent to phones, so they cost nothing.
  private static func withDemoLimits(_ client: AppRegistration) -> AppRegistration {
    var client = client
    client.policy[.numberHourly] = 12
    client.policy[.numberDaily] = 60
    return client
  }

  private static let demoTechnicians: AppRegistration = {
    var client = AppRegistration(
      id: ClientID("technician-app"),
      name: "Technicians",
      home: .assignedJobs,
      signIn: .passwordAndCode,
      roles: [.technician],
      scopes: ["openid", "offline_access", "account", "jobs"]
    )
    // A code alone is enough only here, so that a password reset can be tried out (T-11).
    client.policy.passwordReset = .code
    return client
  }()

  private static let demoRiders: AppRegistration = {
    var client = AppRegistration(
      id: ClientID("rider-app"),
      name: "Riders",
      home: .dashboard,
      signIn: .phoneCode,
      roles: [.rider],
      scopes: ["openid", "offline_access", "account", "dashboard"]
    )
    client.policy.disclosure = .disclosed
    client.defaultCountry = "+91"
    client.allowsRegistration = true
    return client
  }()

  private static let demoOwners = AppRegistration(
    id: ClientID("product-app"),
    name: "My products",
    home: .products,
    signIn: .passwordAndCode,
    roles: [.owner],
    scopes: ["openid", "offline_access", "account", "products"]
  )

  private static let demoMentors: AppRegistration = {
    var client = AppRegistration(
      id: ClientID("mentor-app"),
      name: "Peer mentors",
      home: .activities,
      signIn: .passwordAndCode,
      roles: [.mentor],
      scopes: ["openid", "offline_access", "account", "activities"]
    )
    client.policy.unlock = .biometric
    client.providers = PracticeProvider.allCases.map(\.rawValue)
    return client
  }()

  private static let demoConsole = AppRegistration(
    id: ClientID("console"),
    name: "Console",
    home: .console,
    signIn: .passwordAndCode,
    roles: [.administrator],
    scopes: ["openid", "offline_access", "account", "admin"]
  )
}
