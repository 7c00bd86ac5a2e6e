import JSONText
import SignInModel

extension AppRegistration {
  /// The app in the keys of the configuration, with all policy values.
  var json: JSON {
    let identity: [JSONMember?] = [
      JSONMember("id", id.text),
      JSONMember("name", name),
      JSONMember("home", home.rawValue),
      JSONMember("sign_in", signIn.rawValue),
      JSONMember("roles", .array(roles.map { JSON.string($0.rawValue) })),
      JSONMember("scopes", .array(scopes.map { JSON.string($0) })),
      JSONMember("dpop_required", requiresDPoP),
      JSONMember("require_dpop_nonce", requiresProofNonce),
    ]
    let switches: [JSONMember?] = [
      JSONMember("security_notices_by_sms", sendsNoticesBySMS),
      JSONMember("default_country", ifPresent: defaultCountry),
      JSONMember("allow_registration", allowsRegistration),
      audiences.isEmpty
        ? nil : JSONMember("audiences", .array(audiences.map { JSON.string($0) })),
      claims.isEmpty ? nil : JSONMember("claims", .array(claims.map(\.json))),
      origins.isEmpty ? nil : JSONMember("origins", .array(origins.map { JSON.string($0) })),
    ]
    return .members(identity + shownPolicy.members + switches)
  }
}

extension TokenClaim {
  fileprivate var json: JSON {
    .members([JSONMember("name", name), JSONMember("from", attribute.rawValue)])
  }
}
