public import JSONText
import SignInModel
import SignInWire

/// A scope that adds claims to user info (OpenID Connect Core, section 5.4).
enum UserInfoScope: String, CaseIterable {
  case profile
  case email
  case phone
}

/// The user info of OpenID Connect Core, section 5.3: the claims that the token's scopes allow, and
/// the claims that the app's configuration adds.
public func describeUser(_ access: Access, in world: World) -> JSON {
  let account = access.account
  func isGranted(_ scope: UserInfoScope) -> Bool {
    access.session.scope.utf8.split(separator: UInt8(ascii: " ")).contains {
      $0.elementsEqual(scope.rawValue.utf8)
    }
  }
  return .members(
    [
      JSONMember(.sub, account.id.text),
      isGranted(.profile) ? JSONMember(.name, account.name) : nil,
      isGranted(.email) ? JSONMember(.email, ifPresent: account.email?.text) : nil,
      isGranted(.phone) ? JSONMember(.phoneNumber, ifPresent: account.phone?.e164) : nil,
    ] + world.claims(of: account, in: access.session, of: access.client).map(\.self)
  )
}
