public import JSONText
import SignInModel

/// The user info of OpenID Connect Core, section 5.3: the claims that the token's scopes allow, and
/// those that the app's configuration adds.
public func describeUser(_ access: Access) -> JSON {
  let account = access.account
  func isGranted(_ scope: String) -> Bool {
    access.session.scope.utf8.split(separator: UInt8(ascii: " ")).contains {
      $0.elementsEqual(scope.utf8)
    }
  }
  return .members(
    [
      JSONMember("sub", account.id.text),
      isGranted("profile") ? JSONMember("name", account.name) : nil,
      isGranted("email") ? JSONMember("email", ifPresent: account.email?.text) : nil,
      isGranted("phone") ? JSONMember("phone_number", account.phone.e164) : nil,
    ] + access.client.claims(of: account, in: access.session.organization).map(\.self)
  )
}
