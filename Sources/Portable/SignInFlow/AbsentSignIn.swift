public import SignInEngine
public import SignInModel
public import SignInWire

/// The form of an app that does not have this kind of sign-in.
///
/// There is no value of this type, so the app has none of the form's code.
public enum AbsentSignIn: PasswordSignInForm, PhoneSignInForm {
  public typealias Page = PageEvent

  public init(notice: Notice?, invitation: Secret?) { Self.fail() }

  public init(notice: Notice?, callingCode: String?) { Self.fail() }

  public init(resuming pending: PendingCodeSignIn, email: String) { Self.fail() }

  public init(resuming pending: PendingCodeSignIn, phone: PhoneNumber) { Self.fail() }

  private static func fail() -> Never { preconditionFailure("this app has another sign-in") }

  public var notice: Notice? { switch self {} }
  public var isAtStart: Bool { switch self {} }
  public var isAtRest: Bool { switch self {} }
  public var isUntouched: Bool { switch self {} }
  public var needsTicks: Bool { switch self {} }
  public var firstPart: PagePart { switch self {} }
  public var pendingCode: PendingCodeSignIn? { switch self {} }
  public var tokens: TokenAnswer? { switch self {} }
  public var email: String { switch self {} }

  public mutating func fillIn(email: String) { switch self {} }

  public func findsProvider(_ event: Event, _ context: FlowContext) -> Bool { switch self {} }

  public mutating func needPassword(_ context: inout FlowContext) -> [PageEffect] { switch self {} }

  public mutating func fillIn(_ callingCode: String) { switch self {} }

  public mutating func fillIn(signedUp number: PhoneNumber) { switch self {} }

  public mutating func handle(_ event: Event, _ context: inout FlowContext) -> [PageEffect] {
    switch self {}
  }
}
