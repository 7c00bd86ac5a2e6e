/// The home of an app that draws its own screens: it requests and shows nothing.
///
/// Its configuration decides how people sign in.
public struct NoHome: AppHome {
  public typealias PasswordSignIn = IntentSignIn
  public typealias PhoneSignIn = IntentSignIn
  public typealias Code = CodeVerification

  public static var takesIntents: Bool { true }

  public init() {}

  public mutating func open(_ context: inout FlowContext) -> [Effect] { [] }

  public mutating func handle(_ event: Event, _ context: inout FlowContext) -> [Effect] { [] }
}
