/// Members of tokens, proofs and keys (RFC 7515, RFC 7517, RFC 7519, RFC 9068, RFC 9449).
extension WireField {
  public static var acr: Self { Self("acr") }
  public static var alg: Self { Self("alg") }
  public static var amr: Self { Self("amr") }
  public static var ath: Self { Self("ath") }
  public static var aud: Self { Self("aud") }
  public static var authTime: Self { Self("auth_time") }
  public static var cnf: Self { Self("cnf") }
  public static var crit: Self { Self("crit") }
  public static var crv: Self { Self("crv") }
  public static var d: Self { Self("d") }
  public static var e: Self { Self("e") }
  public static var exp: Self { Self("exp") }
  public static var htm: Self { Self("htm") }
  public static var htu: Self { Self("htu") }
  public static var iat: Self { Self("iat") }
  public static var iss: Self { Self("iss") }
  public static var jkt: Self { Self("jkt") }
  public static var jti: Self { Self("jti") }
  public static var jwk: Self { Self("jwk") }
  public static var keyOps: Self { Self("key_ops") }
  public static var kid: Self { Self("kid") }
  public static var kty: Self { Self("kty") }
  public static var n: Self { Self("n") }
  public static var nonce: Self { Self("nonce") }
  public static var org: Self { Self("org") }
  public static var shelf: Self { Self("shelf") }
  public static var sid: Self { Self("sid") }
  public static var sub: Self { Self("sub") }
  public static var typ: Self { Self("typ") }
  public static var use: Self { Self("use") }
  public static var x: Self { Self("x") }
  public static var y: Self { Self("y") }
}

/// Members of the server's metadata (RFC 8414).
extension WireField {
  public static var authorizationChallengeEndpoint: Self {
    Self("authorization_challenge_endpoint")
  }
  public static var authorizationEndpoint: Self { Self("authorization_endpoint") }
  public static var authorizationResponseIssParameterSupported: Self {
    Self("authorization_response_iss_parameter_supported")
  }
  public static var claimsSupported: Self { Self("claims_supported") }
  public static var codeChallengeMethodsSupported: Self { Self("code_challenge_methods_supported") }
  public static var dpopSigningAlgValuesSupported: Self {
    Self("dpop_signing_alg_values_supported")
  }
  public static var grantTypesSupported: Self { Self("grant_types_supported") }
  public static var idTokenSigningAlgValuesSupported: Self {
    Self("id_token_signing_alg_values_supported")
  }
  public static var introspectionEndpoint: Self { Self("introspection_endpoint") }
  public static var introspectionEndpointAuthMethodsSupported: Self {
    Self("introspection_endpoint_auth_methods_supported")
  }
  public static var introspectionEndpointAuthSigningAlgValuesSupported: Self {
    Self("introspection_endpoint_auth_signing_alg_values_supported")
  }
  public static var jwksURI: Self { Self("jwks_uri") }
  public static var pushedAuthorizationRequestEndpoint: Self {
    Self("pushed_authorization_request_endpoint")
  }
  public static var requirePushedAuthorizationRequests: Self {
    Self("require_pushed_authorization_requests")
  }
  public static var responseTypesSupported: Self { Self("response_types_supported") }
  public static var revocationEndpoint: Self { Self("revocation_endpoint") }
  public static var revocationEndpointAuthMethodsSupported: Self {
    Self("revocation_endpoint_auth_methods_supported")
  }
  public static var scopesSupported: Self { Self("scopes_supported") }
  public static var subjectTypesSupported: Self { Self("subject_types_supported") }
  public static var tokenEndpoint: Self { Self("token_endpoint") }
  public static var tokenEndpointAuthMethodsSupported: Self {
    Self("token_endpoint_auth_methods_supported")
  }
  public static var tokenEndpointAuthSigningAlgValuesSupported: Self {
    Self("token_endpoint_auth_signing_alg_values_supported")
  }
  public static var userinfoEndpoint: Self { Self("userinfo_endpoint") }
}
