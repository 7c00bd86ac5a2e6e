// The public information about the app, such as its providers.
extension AppFlow {
  /// Asks the server which country to fill in and which providers there are, when the first form
  /// of a sign-in is shown for the first time.
  ///
  /// An app that draws its own screens sends this request itself.
  mutating func askAboutApp() -> [FlowEffect] {
    switch stage {
    case .riderSignedOut, .signedOut:
      return context.app.name == nil ? [] : context.askAboutApp().inApp()
    case .starting, .readingStorage, .storageUnreadable, .signedIn, .atProvider, .locked,
      .confirming:
      return []
    }
  }

  mutating func fillInCountry() {
    guard case .riderSignedOut(var signIn) = stage, let code = context.hints.information.callingCode
    else { return }
    signIn.fillIn(code)
    stage = .riderSignedOut(signIn)
  }
}
