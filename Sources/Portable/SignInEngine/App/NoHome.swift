/// The home of an app that draws its own screens: it requests and shows nothing.
///
/// Its configuration decides how people sign in.
public struct NoHome: AppHome {
  public typealias PasswordSignIn = IntentSignIn
  public typealias PhoneSignIn = IntentSignIn
  public typealias Code = CodeVerification
  public typealias Page = NoPage
  public typealias Sessions = NoAccountPage

  public static var takesIntents: Bool { true }

  public init() {}

  public mutating func open(_ context: inout FlowContext) -> [AppEffect<NoPage>] { [] }

  public mutating func handle(_ event: AppEvent<NoPage>, _ context: inout FlowContext)
    -> [AppEffect<NoPage>]
  {
    []
  }
}
