public import SignInWire

/// The home screen of one app, as a state machine.
///
/// It has no tokens. It asks for API requests and gets their answers. If another session replaces
/// this one, a new home is opened.
public protocol AppHome: Equatable, Sendable {
  /// What a person does on the pages of the app.
  associatedtype Page: PageInput

  /// How people sign in with a password.
  associatedtype PasswordSignIn: PasswordSignInForm where PasswordSignIn.Page == Page
  /// How people sign in with a mobile number.
  associatedtype PhoneSignIn: PhoneSignInForm where PhoneSignIn.Page == Page
  /// Whether its people sign in by intents, without forms.
  static var takesIntents: Bool { get }

  /// How a code is entered: on a screen, or as an intent.
  associatedtype Code: CodeInput where Code.Page == Page

  /// The page with the sessions of the account.
  associatedtype Sessions: AccountPage where Sessions.Page == Page

  init()

  mutating func open(_ context: inout FlowContext) -> [AppEffect<Page>]

  mutating func handle(_ event: AppEvent<Page>, _ context: inout FlowContext) -> [AppEffect<Page>]

  /// Writes its offline copy again, under the current key.
  mutating func storeAgain() -> [AppEffect<Page>]

  /// Learns the signed-in account, each time the server has sent it.
  mutating func setAccount(_ account: AccountAnswer, _ context: inout FlowContext)

  /// How many changes of the person the server has not confirmed; they are lost at the end of the
  /// session.
  var unsentCount: Int64 { get }

  /// The shown place, as a path below the address of the app; empty for the first page.
  var place: String { get }

  /// Shows a place, or returns `nil` if the home has no such place.
  mutating func open(place: String, _ context: inout FlowContext) -> [AppEffect<Page>]?

  /// Whether the home itself sent this request, without the session.
  func isFor(_ id: RequestID) -> Bool
}

extension AppHome {
  public static var takesIntents: Bool { false }

  public mutating func storeAgain() -> [AppEffect<Page>] { [] }

  public mutating func setAccount(_ account: AccountAnswer, _ context: inout FlowContext) {}

  public var unsentCount: Int64 { 0 }

  public var place: String { "" }

  public mutating func open(place: String, _ context: inout FlowContext) -> [AppEffect<Page>]? {
    nil
  }

  public func isFor(_ id: RequestID) -> Bool { false }
}
