public import JSONText

/// The name of a field of a form, of a parameter of a query, or of a member of a JSON body in a
/// request.
///
/// The records that other systems write have the same names in answers.
public struct RequestField: Equatable, Sendable {
  public let rawValue: String

  private init(_ rawValue: String) { self.rawValue = rawValue }

  public static var account: Self { Self("account") }
  public static var advance: Self { Self("advance") }
  public static var after: Self { Self("after") }
  public static var authSession: Self { Self("auth_session") }
  public static var availableAt: Self { Self("available_at") }
  public static var category: Self { Self("category") }
  public static var channel: Self { Self("channel") }
  public static var clientAssertion: Self { Self("client_assertion") }
  public static var clientAssertionType: Self { Self("client_assertion_type") }
  public static var clientID: Self { Self("client_id") }
  public static var clientSecret: Self { Self("client_secret") }
  public static var code: Self { Self("code") }
  public static var codeChallenge: Self { Self("code_challenge") }
  public static var codeChallengeMethod: Self { Self("code_challenge_method") }
  public static var codeVerifier: Self { Self("code_verifier") }
  public static var count: Self { Self("count") }
  public static var currentPassword: Self { Self("current_password") }
  public static var cursor: Self { Self("cursor") }
  public static var customer: Self { Self("customer") }
  public static var deleted: Self { Self("deleted") }
  public static var description: Self { Self("description") }
  public static var email: Self { Self("email") }
  public static var endsAt: Self { Self("ends_at") }
  public static var error: Self { Self("error") }
  public static var grantType: Self { Self("grant_type") }
  public static var id: Self { Self("id") }
  public static var ids: Self { Self("ids") }
  public static var invitation: Self { Self("invitation") }
  public static var iss: Self { Self("iss") }
  public static var items: Self { Self("items") }
  public static var kind: Self { Self("kind") }
  public static var level: Self { Self("level") }
  public static var limit: Self { Self("limit") }
  public static var loginHint: Self { Self("login_hint") }
  public static var model: Self { Self("model") }
  public static var name: Self { Self("name") }
  public static var newPassword: Self { Self("new_password") }
  public static var nonce: Self { Self("nonce") }
  public static var notes: Self { Self("notes") }
  public static var organization: Self { Self("organization") }
  public static var organizations: Self { Self("organizations") }
  public static var otp: Self { Self("otp") }
  public static var owner: Self { Self("owner") }
  public static var parcels: Self { Self("parcels") }
  public static var password: Self { Self("password") }
  public static var permissions: Self { Self("permissions") }
  public static var phoneNumber: Self { Self("phone_number") }
  public static var place: Self { Self("place") }
  public static var policy: Self { Self("policy") }
  public static var productID: Self { Self("product_id") }
  public static var products: Self { Self("products") }
  public static var provider: Self { Self("provider") }
  public static var purchasedOn: Self { Self("purchased_on") }
  public static var query: Self { Self("query") }
  public static var reason: Self { Self("reason") }
  public static var recipient: Self { Self("recipient") }
  public static var redirectURI: Self { Self("redirect_uri") }
  public static var refreshToken: Self { Self("refresh_token") }
  public static var requestURI: Self { Self("request_uri") }
  public static var resend: Self { Self("resend") }
  public static var resetSession: Self { Self("reset_session") }
  public static var resource: Self { Self("resource") }
  public static var responseType: Self { Self("response_type") }
  public static var role: Self { Self("role") }
  public static var scope: Self { Self("scope") }
  public static var seen: Self { Self("seen") }
  public static var send: Self { Self("send") }
  public static var serialNumber: Self { Self("serial_number") }
  public static var startsAt: Self { Self("starts_at") }
  public static var state: Self { Self("state") }
  public static var status: Self { Self("status") }
  public static var subject: Self { Self("subject") }
  public static var title: Self { Self("title") }
  public static var to: Self { Self("to") }
  public static var token: Self { Self("token") }
  public static var uiLocales: Self { Self("ui_locales") }
  public static var username: Self { Self("username") }
  public static var version: Self { Self("version") }
  public static var warrantyExpiresOn: Self { Self("warranty_expires_on") }
  public static var warrantyProvider: Self { Self("warranty_provider") }
  public static var with: Self { Self("with") }
}

extension JSONMember {
  public init(_ field: RequestField, _ value: String) { self.init(field.rawValue, value) }

  public init(_ field: RequestField, _ value: Int64) { self.init(field.rawValue, value) }

  public init(_ field: RequestField, _ value: JSON) { self.init(field.rawValue, value) }

  public func isNamed(_ field: RequestField) -> Bool { isNamed(field.rawValue) }
}

extension JSON {
  public subscript(_ field: RequestField) -> JSON? { self[field.rawValue] }
}
