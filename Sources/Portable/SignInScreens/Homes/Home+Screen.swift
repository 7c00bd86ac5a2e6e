import SignInFlow

extension Home {
  func view(_ speaker: Speaker) -> HomeView {
    switch self {
    case .jobs(let home): home.view(speaker)
    case .dashboard(let home): home.view(speaker)
    case .activities(let home): home.view(speaker)
    case .console(let home): home.view(speaker)
    case .products(let home): home.view(speaker)
    }
  }
}
