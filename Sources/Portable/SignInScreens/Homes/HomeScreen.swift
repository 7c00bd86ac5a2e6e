public import JSONText
public import SignInEngine
public import SignInFlow

/// The home screen of one of this repository's apps, with its content.
public protocol HomeScreen: FormHome
where PasswordSignIn: FormScreen, PhoneSignIn: FormScreen {
  /// The app that has this home.
  static var app: AppName { get }

  func view(_ localizer: Localizer) -> HomeView

  static func announce(
    _ announcement: ConsoleAnnouncement, _ localizer: Localizer
  ) -> LocalizedAnnouncement

  /// The JSON of a part that only some homes have.
  ///
  /// So the core of an app has no code for the parts of another home.
  static func json(ofOwn part: Part) -> JSON
}

extension HomeScreen {
  public static func json(ofOwn part: Part) -> JSON { part.appJSON }

  public static func announce(
    _ announcement: ConsoleAnnouncement, _ localizer: Localizer
  ) -> LocalizedAnnouncement {
    preconditionFailure("only the console announces this")
  }
}

/// A form with its screen.
public protocol FormScreen: SignInForm {
  func screen(_ localizer: Localizer) -> Screen
}

extension AbsentSignIn: FormScreen {
  public func screen(_ localizer: Localizer) -> Screen { switch self {} }
}

/// Data that is the whole content of a home screen.
public protocol HomeAnswerScreen: WorkAnswer
where PasswordSignIn: FormScreen, PhoneSignIn: FormScreen {
  /// The app that has this home.
  static var app: AppName { get }

  static func view(_ home: ListHome<Self>, _ localizer: Localizer) -> HomeView
}

extension ListHome: HomeScreen where Value: HomeAnswerScreen {
  public static var app: AppName { Value.app }

  public func view(_ localizer: Localizer) -> HomeView { Value.view(self, localizer) }
}
