import SignInModel

extension AppFlow {
  /// The form of the app, for a person who is signed out.
  func signedOut(_ notice: Notice? = nil) -> Stage {
    switch context.app.signInKind {
    case .passwordAndCode:
      var form = Home.PasswordSignIn(notice: notice, invitation: context.run.opened.invitation)
      if let email = EmailAddress(typed: context.hints.username),
        context.run.opened.invitation == nil
      {
        form.fillIn(email: email.text)
      }
      return .signedOut(form)
    case .phoneCode:
      var form = Home.PhoneSignIn(
        notice: notice, callingCode: context.hints.information.callingCode)
      if let phone = PhoneNumber(remembered: context.hints.username) {
        form.fillIn(signedUp: phone)
      }
      return .riderSignedOut(form)
    }
  }
}
