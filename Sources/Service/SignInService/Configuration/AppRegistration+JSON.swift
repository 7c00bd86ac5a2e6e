import JSONText
import SignInModel
import SignInWire

extension AppRegistration {
  /// The settings of the app in the keys of the configuration, with all policy values.
  var settings: [JSONMember] {
    let identity: [JSONMember?] = [
      JSONMember(.home, home.rawValue),
      JSONMember(.signIn, signIn.rawValue),
      JSONMember(.roles, .array(roles.map { JSON.string($0.rawValue) })),
      JSONMember(.scopes, .array(scopes.map { JSON.string($0) })),
      JSONMember(.dpopRequired, requiresDPoP),
      JSONMember(.requireDPoPNonce, requiresProofNonce),
    ]
    let switches: [JSONMember?] = [
      JSONMember(.securityNoticesBySMS, sendsNoticesBySMS),
      JSONMember(.defaultCountry, ifPresent: defaultCountry),
      JSONMember(.allowRegistration, allowsRegistration),
      audiences.isEmpty
        ? nil : JSONMember(.audiences, .array(audiences.map { JSON.string($0) })),
      claims.isEmpty ? nil : JSONMember(.claims, .array(claims.map(\.json))),
      origins.isEmpty ? nil : JSONMember(.origins, .array(origins.map { JSON.string($0) })),
    ]
    return (identity + shownPolicy.members + switches).compactMap { $0 }
  }
}

extension TokenClaim {
  fileprivate var json: JSON {
    .members([JSONMember(.name, name), JSONMember(.from, attribute.rawValue)])
  }
}
