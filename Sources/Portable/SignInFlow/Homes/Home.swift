/// What an app shows once somebody is signed in: one small machine for each kind of home screen.
///
/// A home knows nothing of tokens. It asks for errands, gets their answers, and is opened again
/// when another person's session takes the place of this one.
public indirect enum Home: Equatable, Sendable {
  case jobs(JobsHome)
  case dashboard(DashboardHome)
  case console(ConsoleHome)
  case products(ProductsHome)
  case welcome(WelcomeHome)

  init(for app: AppName) {
    switch app {
    case .technician: self = .jobs(JobsHome())
    case .rider: self = .dashboard(DashboardHome())
    case .console: self = .console(ConsoleHome())
    case .product: self = .products(ProductsHome())
    case .mentor: self = .welcome(WelcomeHome())
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
    case .console(var home):
      let effects = home.open(&context)
      self = .console(home)
      return effects
    case .products(var home):
      let effects = home.open(&context)
      self = .products(home)
      return effects
    case .welcome: return []
    }
  }

  /// Whether it waits for this answer itself, without the session between.
  func isFor(_ id: RequestID) -> Bool {
    switch self {
    case .products(let home): home.isFor(id)
    case .jobs, .dashboard, .console, .welcome: false
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
    case .console(var home):
      let effects = home.handle(event, &context)
      self = .console(home)
      return effects
    case .products(var home):
      let effects = home.handle(event, &context)
      self = .products(home)
      return effects
    case .welcome: return []
    }
  }
}

/// Says only who is signed in, and lets them sign out.
public struct WelcomeHome: Equatable, Sendable {}
