import SignInWire

/// The home screen of the app in which a person is signed in.
///
/// The core of each web app replaces this type by one that has only that app's home.
public indirect enum Home: Equatable, Sendable {
  case jobs(JobsHome)
  case dashboard(DashboardHome)
  case activities(ActivitiesHome)
  case console(ConsoleHome)
  case products(ProductsHome)

  init(for app: AppName) {
    switch app {
    case .technician: self = .jobs(JobsHome())
    case .rider: self = .dashboard(DashboardHome())
    case .mentor: self = .activities(ActivitiesHome())
    case .console: self = .console(ConsoleHome())
    case .product: self = .products(ProductsHome())
    }
  }

  mutating func open(_ context: inout FlowContext) -> [Effect] {
    switch self {
    case .jobs(var home):
      let effects = home.open(&context)
      self = .jobs(home)
      return effects
    case .dashboard(var home):
      let effects = home.open(&context)
      self = .dashboard(home)
      return effects
    case .activities(var home):
      let effects = home.open(&context)
      self = .activities(home)
      return effects
    case .console(var home):
      let effects = home.open(&context)
      self = .console(home)
      return effects
    case .products(var home):
      let effects = home.open(&context)
      self = .products(home)
      return effects
    }
  }

  mutating func storeAgain() -> [Effect] {
    switch self {
    case .jobs(var home):
      let effects = home.storeAgain()
      self = .jobs(home)
      return effects
    case .dashboard(var home):
      let effects = home.storeAgain()
      self = .dashboard(home)
      return effects
    case .activities(var home):
      let effects = home.storeAgain()
      self = .activities(home)
      return effects
    case .products(var home):
      let effects = home.storeAgain()
      self = .products(home)
      return effects
    case .console(var home):
      let effects = home.storeAgain()
      self = .console(home)
      return effects
    }
  }

  mutating func setAccount(_ account: AccountAnswer) {
    switch self {
    case .console(var home):
      home.setAccount(account)
      self = .console(home)
    case .jobs, .dashboard, .activities, .products: break
    }
  }

  func isFor(_ id: RequestID) -> Bool {
    switch self {
    case .jobs(let home): home.isFor(id)
    case .dashboard(let home): home.isFor(id)
    case .activities(let home): home.isFor(id)
    case .console(let home): home.isFor(id)
    case .products(let home): home.isFor(id)
    }
  }

  mutating func handle(_ event: Event, _ context: inout FlowContext) -> [Effect] {
    switch self {
    case .jobs(var home):
      let effects = home.handle(event, &context)
      self = .jobs(home)
      return effects
    case .dashboard(var home):
      let effects = home.handle(event, &context)
      self = .dashboard(home)
      return effects
    case .activities(var home):
      let effects = home.handle(event, &context)
      self = .activities(home)
      return effects
    case .console(var home):
      let effects = home.handle(event, &context)
      self = .console(home)
      return effects
    case .products(var home):
      let effects = home.handle(event, &context)
      self = .products(home)
      return effects
    }
  }
}
