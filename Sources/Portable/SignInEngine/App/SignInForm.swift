public import SignInModel
public import SignInWire

/// The state of a person who is not signed in: a form, or `IntentSignIn`.
public protocol SignInForm: Equatable, Sendable {
  associatedtype Page: PageInput

  /// Why the person must sign in, or what happened to the last attempt.
  var notice: Notice? { get }
  /// Whether nothing was sent yet.
  var isAtStart: Bool { get }
  /// Whether the person can continue in another tab without losing anything here.
  var isAtRest: Bool { get }
  /// Whether the person has done nothing since the sign-out.
  var isUntouched: Bool { get }
  var needsTicks: Bool { get }
  /// The part of the page that the sign-in begins with.
  var firstPart: PagePart { get }
  /// The sign-in to continue if the app is closed now; `nil` if it does not wait for a code.
  var pendingCode: PendingCodeSignIn? { get }
  /// The result of a completed sign-in.
  var tokens: TokenAnswer? { get }
  /// The result of the last intent; `nil` while it is in progress.
  var result: IntentResult? { get }

  mutating func handle(_ event: AppEvent<Page>, _ context: inout FlowContext) -> [AppEffect<Page>]
}

extension SignInForm {
  /// A form has fields and buttons, and takes no intents.
  public var result: IntentResult? { .refused(.notPossible) }
}

/// A sign-in with a password and a code.
public protocol PasswordSignInForm: SignInForm {
  /// The typed address.
  var email: String { get }

  init(notice: Notice?, invitation: Secret?)

  /// Continues a sign-in of an earlier run of the app.
  init(resuming pending: PendingCodeSignIn, email: String)

  /// Fills in an address that the person has typed before.
  mutating func fillIn(email: String)

  /// Whether this event asks for the provider of the typed address.
  func findsProvider(_ event: AppEvent<Page>, _ context: FlowContext) -> Bool

  /// Explains that the person needs a password, because no provider belongs to the address.
  mutating func needPassword(_ context: inout FlowContext) -> [AppEffect<Page>]
}

/// A sign-in with a mobile number and a code.
public protocol PhoneSignInForm: SignInForm {
  /// Creates the form.
  ///
  /// `callingCode` is the one to fill in, if the server has already sent it.
  init(notice: Notice?, callingCode: String?)

  /// Continues a sign-in of an earlier run of the app.
  init(resuming pending: PendingCodeSignIn, phone: PhoneNumber)

  /// Fills in the country, unless the person has already typed or chosen.
  mutating func fillIn(_ callingCode: String)

  /// Fills in the number of a sign-up on this device that may still wait for approval.
  mutating func fillIn(signedUp number: PhoneNumber)
}
