import SignInFlow

extension Home {
  func view(_ localizer: Localizer) -> HomeView {
    switch self {
    case .jobs(let home): home.view(localizer)
    case .dashboard(let home): home.view(localizer)
    case .activities(let home): home.view(localizer)
    case .console(let home): home.view(localizer)
    case .products(let home): home.view(localizer)
    }
  }
}
