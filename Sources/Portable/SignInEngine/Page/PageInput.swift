/// What a person does on a page of an app, and what the page gives back.
///
/// The engine knows neither the fields nor the buttons of a page. It asks what the action means.
public protocol PageInput: Equatable, Sendable {
  /// A button in a row of a list.
  associatedtype Button: Equatable, Sendable

  /// An output of the pages besides their state, such as a sentence for a screen reader.
  associatedtype Output: Equatable, Sendable

  /// What the person wants from the engine; `nil` if only the page knows the meaning.
  var intent: PageIntent? { get }

  /// Whether the action closes an open menu.
  var closesMenu: Bool { get }

  /// What the person wants from the engine by pressing a button in the row of `item`.
  static func intent(pressing button: Button, of item: String) -> PageIntent?
}

/// What a person wants from the engine by an action on a page.
public enum PageIntent: Equatable, Sendable {
  /// `nil` if the app has no texts in the language.
  case chooseLanguage(Language?)
  /// The person asks for a sign-in although storage cannot be read.
  case signInAgain
  case signInAtProvider(String)
  /// The person leaves what is in progress, or answers a question with no.
  case cancel
  case session(SessionIntent)
  case declineLock
  case reply(AccountUpdateReply)
  case toggleMenu
  case openSessions
  case goBack
  case dismissNotice
}

/// The pages of an app that draws its own screens: the engine gets no action on them.
///
/// There is no value of this type.
public enum NoPage: PageInput {
  public typealias Button = NoPage
  public typealias Output = NoPage

  public var intent: PageIntent? { switch self {} }

  public var closesMenu: Bool { switch self {} }

  public static func intent(pressing button: NoPage, of item: String) -> PageIntent? {}
}

/// The page with the sessions of the account, which takes the place of the home while it is open.
public protocol AccountPage: Equatable, Sendable {
  associatedtype Page: PageInput

  init()

  /// Opens the page of the person with this name.
  mutating func open(_ name: String, _ context: inout FlowContext)

  /// Learns the name, each time the server has sent it.
  mutating func setName(_ name: String)

  /// Whether the person has changed the account since the last call.
  mutating func takeAccountChange() -> Bool

  mutating func handle(_ event: AppEvent<Page>, _ context: inout FlowContext) -> [AppEffect<Page>]

  /// The form that is open on the page.
  var openForm: AccountForm? { get }

  /// Shows the form in place of the open one; `nil` shows the page itself.
  mutating func show(_ form: AccountForm?, _ context: inout FlowContext)
}

/// A form about the account.
public enum AccountForm: Equatable, Sendable {
  case password
  /// The name, the address, the number and the erasure.
  case ownAccount
}

/// The account page of an app that draws its own screens.
public struct NoAccountPage: AccountPage {
  public init() {}

  public mutating func open(_ name: String, _ context: inout FlowContext) {}

  public mutating func setName(_ name: String) {}

  public mutating func takeAccountChange() -> Bool { false }

  public mutating func handle(
    _ event: AppEvent<NoPage>, _ context: inout FlowContext
  ) -> [AppEffect<NoPage>] { [] }

  public var openForm: AccountForm? { nil }

  public mutating func show(_ form: AccountForm?, _ context: inout FlowContext) {}
}
