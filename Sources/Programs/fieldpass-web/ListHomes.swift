/// The home of the technicians' or the riders' app.
///
/// It replaces the type that can be any of five homes.
///
/// Both only read a list, so that a core with both is little larger than one with one of them.
public enum Home: Equatable, Sendable {
  case jobs(JobsHome)
  case dashboard(DashboardHome)

  init(for app: AppName) {
    switch app {
    case .technician: self = .jobs(JobsHome())
    case .rider: self = .dashboard(DashboardHome())
    case .mentor, .product, .console: preconditionFailure("this core has no home for the app")
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
    }
  }

  mutating func setAccount(_ account: AccountAnswer) {}

  func isFor(_ id: RequestID) -> Bool {
    switch self {
    case .jobs(let home): home.isFor(id)
    case .dashboard(let home): home.isFor(id)
    }
  }

  func view(_ localizer: Localizer) -> HomeView {
    switch self {
    case .jobs(let home): home.view(localizer)
    case .dashboard(let home): home.view(localizer)
    }
  }
}
