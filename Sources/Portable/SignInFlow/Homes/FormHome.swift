public import SignInEngine

/// The home of an app with forms.
public protocol FormHome: AppHome
where Page == PageEvent, Code == CodeStep, Sessions == SessionsPage {
  /// The form of the app, or `AbsentSignIn` if its people sign in with a mobile number.
  associatedtype PasswordSignIn = TechnicianSignIn
  /// The form of the app, or `AbsentSignIn` if its people sign in with a password.
  associatedtype PhoneSignIn = AbsentSignIn
}
