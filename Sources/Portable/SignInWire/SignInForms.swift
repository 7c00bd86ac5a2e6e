public import SignInModel

/// `POST /oauth/challenge`, the steps of a first-party sign-in, and `POST /oauth/par`.
///
/// The first call has the terms and the credentials. The next calls have `authSession` and one of
/// `otp`, `resend` and `status`.
public struct ChallengeForm: RequestForm {
  /// The only code challenge method (RFC 7636, section 4.3).
  public static let challengeMethod = "S256"

  public var clientID: String?
  public var responseType: String?
  public var scope: String?
  /// The code challenge (RFC 7636).
  public var codeChallenge: String?
  public var codeChallengeMethod: String?
  public var nonce: String?
  public var organization: String?
  public var username: String?
  public var password: Secret?
  /// In E.164 form.
  public var phoneNumber: String?
  /// The identity provider at which the person signs in.
  public var provider: String?
  public var redirectURI: String?
  public var state: String?
  public var loginHint: String?
  public var authSession: Secret?
  public var otp: Secret?
  /// Requests another code.
  public var resend: Bool?
  public var channel: String?
  /// Requests the delivery status.
  public var status: Bool?
  public var uiLocales: String?

  public init() {}

  /// The terms of a first call, for a code challenge with S256.
  public init(clientID: String, scope: String, s256Challenge: String) {
    self.clientID = clientID
    self.scope = scope
    responseType = "code"
    codeChallenge = s256Challenge
    codeChallengeMethod = Self.challengeMethod
  }

  public mutating func visit(_ fields: inout some FormFields) {
    fields.text(.clientID, &clientID)
    fields.text(.responseType, &responseType)
    fields.text(.scope, &scope)
    fields.text(.codeChallenge, &codeChallenge)
    fields.text(.codeChallengeMethod, &codeChallengeMethod)
    fields.text(.nonce, &nonce)
    fields.text(.organization, &organization)
    fields.text(.username, &username)
    fields.secret(.password, &password)
    fields.text(.phoneNumber, &phoneNumber)
    fields.text(.provider, &provider)
    fields.text(.redirectURI, &redirectURI)
    fields.text(.state, &state)
    fields.text(.loginHint, &loginHint)
    fields.secret(.authSession, &authSession)
    fields.secret(.otp, &otp)
    fields.flag(.resend, &resend)
    fields.text(.channel, &channel)
    fields.flag(.status, &status)
    fields.text(.uiLocales, &uiLocales)
  }
}

/// `POST /oauth/token`, without the `ClientCredentials` of a service account.
public struct TokenForm: RequestForm {
  public enum GrantType: String, CaseIterable, Sendable {
    case authorizationCode = "authorization_code"
    case refreshToken = "refresh_token"
    case clientCredentials = "client_credentials"
  }

  public var grantType: String?
  public var clientID: String?
  public var scope: String?
  public var code: Secret?
  public var codeVerifier: Secret?
  public var refreshToken: Secret?
  public var organization: String?
  public var resource: String?
  public var uiLocales: String?

  public init() {}

  /// `nil` for a grant that this version does not know.
  public var grant: GrantType? { grantType.flatMap { GrantType(rawValue: $0) } }

  /// Exchanges an authorization code.
  public init(clientID: String, code: Secret, verifier: Secret) {
    grantType = GrantType.authorizationCode.rawValue
    self.clientID = clientID
    self.code = code
    codeVerifier = verifier
  }

  /// Renews a session.
  public init(clientID: String, refreshToken: Secret) {
    grantType = GrantType.refreshToken.rawValue
    self.clientID = clientID
    self.refreshToken = refreshToken
  }

  public mutating func visit(_ fields: inout some FormFields) {
    fields.text(.grantType, &grantType)
    fields.text(.clientID, &clientID)
    fields.text(.scope, &scope)
    fields.secret(.code, &code)
    fields.secret(.codeVerifier, &codeVerifier)
    fields.secret(.refreshToken, &refreshToken)
    fields.text(.organization, &organization)
    fields.text(.resource, &resource)
    fields.text(.uiLocales, &uiLocales)
  }
}

/// How an app or a service account names itself in a form (RFC 6749, section 2.3; RFC 7523).
public struct ClientCredentials: RequestForm {
  public var id: String?
  public var secret: Secret?
  public var assertionType: String?
  public var assertion: Secret?

  public init() {}

  public mutating func visit(_ fields: inout some FormFields) {
    fields.text(.clientID, &id)
    fields.secret(.clientSecret, &secret)
    fields.text(.clientAssertionType, &assertionType)
    fields.secret(.clientAssertion, &assertion)
  }
}

/// `POST /oauth/revoke` (RFC 7009).
public struct RevocationForm: RequestForm {
  public var clientID: String?
  public var token: Secret?

  public init() {}

  public mutating func visit(_ fields: inout some FormFields) {
    fields.text(.clientID, &clientID)
    fields.secret(.token, &token)
  }
}

/// `POST /oauth/introspect` (RFC 7662), without the `ClientCredentials`.
public struct IntrospectionForm: RequestForm {
  public var token: Secret?

  public init() {}

  public mutating func visit(_ fields: inout some FormFields) {
    fields.secret(.token, &token)
  }
}

/// The query of `/oauth/authorize`, for a stored request.
public struct AuthorizationQuery: RequestForm {
  public var clientID: String?
  public var requestURI: String?

  public init() {}

  public mutating func visit(_ fields: inout some FormFields) {
    fields.text(.clientID, &clientID)
    fields.text(.requestURI, &requestURI)
  }
}

/// What a browser brings back: to this server from a provider, or to an app from this server
/// (RFC 6749, section 4.1.2; RFC 9207).
public struct AuthorizationResult: RequestForm {
  public var state: String?
  public var code: Secret?
  public var error: String?
  public var issuer: String?

  public init() {}

  public mutating func visit(_ fields: inout some FormFields) {
    fields.text(.state, &state)
    fields.secret(.code, &code)
    fields.text(.error, &error)
    fields.text(.iss, &issuer)
  }
}

/// `POST /password/forgot`.
public struct ForgotPasswordForm: RequestForm {
  public var clientID: String?
  public var username: String?
  public var uiLocales: String?

  public init() {}

  public mutating func visit(_ fields: inout some FormFields) {
    fields.text(.clientID, &clientID)
    fields.text(.username, &username)
    fields.text(.uiLocales, &uiLocales)
  }
}

/// `POST /password/reset`.
public struct ResetPasswordForm: RequestForm {
  public var resetSession: Secret?
  public var otp: Secret?
  public var password: Secret?
  public var uiLocales: String?

  public init() {}

  public mutating func visit(_ fields: inout some FormFields) {
    fields.secret(.resetSession, &resetSession)
    fields.secret(.otp, &otp)
    fields.secret(.password, &password)
    fields.text(.uiLocales, &uiLocales)
  }
}

/// `POST /password/invitation`.
public struct InvitationForm: RequestForm {
  public var clientID: String?
  public var invitation: Secret?
  public var password: Secret?
  public var uiLocales: String?

  public init() {}

  public mutating func visit(_ fields: inout some FormFields) {
    fields.text(.clientID, &clientID)
    fields.secret(.invitation, &invitation)
    fields.secret(.password, &password)
    fields.text(.uiLocales, &uiLocales)
  }
}

/// `POST /accounts`.
public struct RegistrationForm: RequestForm {
  public var clientID: String?
  public var phoneNumber: String?
  public var name: String?
  public var uiLocales: String?

  public init() {}

  public mutating func visit(_ fields: inout some FormFields) {
    fields.text(.clientID, &clientID)
    fields.text(.phoneNumber, &phoneNumber)
    fields.text(.name, &name)
    fields.text(.uiLocales, &uiLocales)
  }
}

/// `POST /accounts/verify`.
public struct RegistrationCodeForm: RequestForm {
  public var registrationSession: Secret?
  public var otp: Secret?

  public init() {}

  public mutating func visit(_ fields: inout some FormFields) {
    fields.secret(.registrationSession, &registrationSession)
    fields.secret(.otp, &otp)
  }
}
