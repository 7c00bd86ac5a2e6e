import SignInModel
import SignInRules

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
  private static func withDemoLimits(_ client: AppClient) -> AppClient {
    var client = client
    client.messages.perNumberPerHour = 12
    client.messages.perNumberPerDay = 60
    return client
  }

  private static let demoTechnicians: AppClient = {
    var client = AppClient(
      id: ClientID("technician-app"),
      name: "Technicians",
      home: .assignedJobs,
      signIn: .passwordAndCode,
      roles: [.technician],
      scopes: ["openid", "offline_access", "account", "jobs"]
    )
    // A code alone is enough only here, so that a password reset can be tried out (T-11).
    client.passwordReset = .code
    return client
  }()

  private static let demoRiders: AppClient = {
    var client = AppClient(
      id: ClientID("rider-app"),
      name: "Riders",
      home: .dashboard,
      signIn: .phoneCode,
      roles: [.rider],
      scopes: ["openid", "offline_access", "account", "dashboard"]
    )
    client.disclosure = .disclosed
    client.defaultCountry = "+91"
    client.allowsRegistration = true
    return client
  }()

  private static let demoOwners = AppClient(
    id: ClientID("product-app"),
    name: "My products",
    home: .products,
    signIn: .passwordAndCode,
    roles: [.owner],
    scopes: ["openid", "offline_access", "account", "products"]
  )

  private static let demoMentors: AppClient = {
    var client = AppClient(
      id: ClientID("mentor-app"),
      name: "Peer mentors",
      home: .activities,
      signIn: .passwordAndCode,
      roles: [.mentor],
      scopes: ["openid", "offline_access", "account", "activities"]
    )
    client.unlock = .biometric
    client.providers = PracticeProvider.allCases.map(\.rawValue)
    return client
  }()

  private static let demoConsole = AppClient(
    id: ClientID("console"),
    name: "Console",
    home: .console,
    signIn: .passwordAndCode,
    roles: [.administrator],
    scopes: ["openid", "offline_access", "account", "admin"]
  )
}
