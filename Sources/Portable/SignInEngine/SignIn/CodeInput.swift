public import SignInModel

/// How a code reaches its verification: typed on a screen, or in an intent of the embedding app.
public protocol CodeInput: Equatable, Sendable {
  associatedtype Page: PageInput

  init(_ verification: CodeVerification)

  var verification: CodeVerification { get }

  /// How the verification ended; `nil` until then.
  var ending: CodeVerification.Ending? { get }

  /// Handles an event.
  ///
  /// `newPassword` is sent with the code of a reset.
  mutating func handle(
    _ event: AppEvent<Page>, newPassword: Secret, _ context: inout FlowContext
  ) -> [AppEffect<Page>]

  /// The same input, ready to enter the same code again.
  func resumed(saying notice: Notice?) -> Self
}
