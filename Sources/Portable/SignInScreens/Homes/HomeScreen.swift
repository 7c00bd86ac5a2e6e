public import SignInFlow

/// The home screen of one of this repository's apps, with its content.
public protocol HomeScreen: AppHome {
  func view(_ localizer: Localizer) -> HomeView
}

/// Data that is the whole content of a home screen.
public protocol HomeAnswerScreen: HomeAnswer {
  static func view(_ answer: OfflineAnswer<Self>, _ localizer: Localizer) -> HomeView
}

extension ListHome: HomeScreen where Value: HomeAnswerScreen {
  public func view(_ localizer: Localizer) -> HomeView { Value.view(answer, localizer) }
}
