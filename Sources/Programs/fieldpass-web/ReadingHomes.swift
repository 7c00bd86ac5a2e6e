/// The home of the technicians' or the riders' app, in place of the one that can be any of five.
///
/// The two read a list and change nothing, so their core is hardly larger than one of them.
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

  mutating func keepAnew() -> [Effect] {
    switch self {
    case .jobs(var home):
      let effects = home.keepAnew()
      self = .jobs(home)
      return effects
    case .dashboard(var home):
      let effects = home.keepAnew()
      self = .dashboard(home)
      return effects
    }
  }

  mutating func meet(_ account: AccountAnswer) {}

  func isFor(_ id: RequestID) -> Bool {
    switch self {
    case .jobs(let home): home.isFor(id)
    case .dashboard(let home): home.isFor(id)
    }
  }

  func view(_ speaker: Speaker) -> HomeView {
    switch self {
    case .jobs(let home): home.view(speaker)
    case .dashboard(let home): home.view(speaker)
    }
  }
}
