public import JSONText

/// The name of a field of a form, of a parameter of a query, or of a member of a JSON body.
///
/// Every name of the HTTP interface is defined here and in `WireField+Tokens.swift`. Requests,
/// answers and their description refer to it.
public struct WireField: Equatable, Sendable {
  public let rawValue: String

  init(_ rawValue: String) { self.rawValue = rawValue }

  public static var accessToken: Self { Self("access_token") }
  public static var account: Self { Self("account") }
  public static var accountChanges: Self { Self("account_changes") }
  public static var accounts: Self { Self("accounts") }
  public static var active: Self { Self("active") }
  public static var activities: Self { Self("activities") }
  public static var advance: Self { Self("advance") }
  public static var after: Self { Self("after") }
  public static var allowRegistration: Self { Self("allow_registration") }
  public static var at: Self { Self("at") }
  public static var attemptsLeft: Self { Self("attempts_left") }
  public static var superseded: Self { Self("superseded") }
  public static var audiences: Self { Self("audiences") }
  public static var authorizationCode: Self { Self("authorization_code") }
  public static var authorizationExpiresIn: Self { Self("authorization_expires_in") }
  public static var authSession: Self { Self("auth_session") }
  public static var available: Self { Self("available") }
  public static var availableAt: Self { Self("available_at") }
  public static var awaiting: Self { Self("awaiting") }
  public static var backgroundTimeout: Self { Self("background_timeout") }
  public static var bound: Self { Self("bound") }
  public static var browser: Self { Self("browser") }
  public static var bytes: Self { Self("bytes") }
  public static var category: Self { Self("category") }
  public static var challenge: Self { Self("challenge") }
  public static var change: Self { Self("change") }
  public static var changed: Self { Self("changed") }
  public static var changes: Self { Self("changes") }
  public static var changeSession: Self { Self("change_session") }
  public static var channel: Self { Self("channel") }
  public static var channels: Self { Self("channels") }
  public static var choices: Self { Self("choices") }
  public static var claims: Self { Self("claims") }
  public static var client: Self { Self("client") }
  public static var clientAssertion: Self { Self("client_assertion") }
  public static var clientAssertionType: Self { Self("client_assertion_type") }
  public static var clientID: Self { Self("client_id") }
  public static var clientName: Self { Self("client_name") }
  public static var clients: Self { Self("clients") }
  public static var clientSecret: Self { Self("client_secret") }
  public static var code: Self { Self("code") }
  public static var codeChallenge: Self { Self("code_challenge") }
  public static var codeChallengeMethod: Self { Self("code_challenge_method") }
  public static var codesDelivered: Self { Self("codes_delivered") }
  public static var codeVerifier: Self { Self("code_verifier") }
  public static var codesEntered: Self { Self("codes_entered") }
  public static var codesSent: Self { Self("codes_sent") }
  public static var complete: Self { Self("complete") }
  public static var configured: Self { Self("configured") }
  public static var contactChanges: Self { Self("contact_changes") }
  public static var contactProposals: Self { Self("contact_proposals") }
  public static var count: Self { Self("count") }
  public static var country: Self { Self("country") }
  public static var createdAt: Self { Self("created_at") }
  public static var current: Self { Self("current") }
  public static var currentPassword: Self { Self("current_password") }
  public static var cursor: Self { Self("cursor") }
  public static var customer: Self { Self("customer") }
  public static var day: Self { Self("day") }
  public static var dayAt: Self { Self("day_at") }
  public static var days: Self { Self("days") }
  public static var declinedAt: Self { Self("declined_at") }
  public static var defaultCountry: Self { Self("default_country") }
  public static var deleted: Self { Self("deleted") }
  public static var delivered: Self { Self("delivered") }
  public static var deliveries: Self { Self("deliveries") }
  public static var delivery: Self { Self("delivery") }
  public static var description: Self { Self("description") }
  public static var destination: Self { Self("destination") }
  public static var detail: Self { Self("detail") }
  public static var device: Self { Self("device") }
  public static var devices: Self { Self("devices") }
  public static var digest: Self { Self("digest") }
  public static var digits: Self { Self("digits") }
  public static var dpopRequired: Self { Self("dpop_required") }
  public static var dueAt: Self { Self("due_at") }
  public static var email: Self { Self("email") }
  public static var emailProved: Self { Self("email_proved") }
  public static var endedBecause: Self { Self("ended_because") }
  public static var endsAt: Self { Self("ends_at") }
  public static var endSessionURI: Self { Self("end_session_uri") }
  public static var erasure: Self { Self("erasure") }
  public static var erasureAt: Self { Self("erasure_at") }
  public static var error: Self { Self("error") }
  public static var errorDescription: Self { Self("error_description") }
  public static var events: Self { Self("events") }
  public static var expiresAt: Self { Self("expires_at") }
  public static var expiresIn: Self { Self("expires_in") }
  public static var exportedAt: Self { Self("exported_at") }
  public static var failed: Self { Self("failed") }
  public static var failedMessages: Self { Self("failed_messages") }
  public static var failures: Self { Self("failures") }
  public static var failuresInRow: Self { Self("failures_in_row") }
  public static var form: Self { Self("form") }
  public static var formerContacts: Self { Self("former_contacts") }
  public static var from: Self { Self("from") }
  public static var grantType: Self { Self("grant_type") }
  public static var handedOverAt: Self { Self("handed_over_at") }
  public static var hash: Self { Self("hash") }
  public static var hasPassword: Self { Self("has_password") }
  public static var home: Self { Self("home") }
  public static var id: Self { Self("id") }
  public static var identities: Self { Self("identities") }
  public static var idleTimeout: Self { Self("idle_timeout") }
  public static var ids: Self { Self("ids") }
  public static var idToken: Self { Self("id_token") }
  public static var invitation: Self { Self("invitation") }
  public static var statusNote: Self { Self("status_note") }
  public static var instructions: Self { Self("instructions") }
  public static var issuer: Self { Self("issuer") }
  public static var items: Self { Self("items") }
  public static var jobs: Self { Self("jobs") }
  public static var key: Self { Self("key") }
  public static var keys: Self { Self("keys") }
  public static var kind: Self { Self("kind") }
  public static var label: Self { Self("label") }
  public static var lastSeenAt: Self { Self("last_seen_at") }
  public static var lastUsedAt: Self { Self("last_used_at") }
  public static var lease: Self { Self("lease") }
  public static var level: Self { Self("level") }
  public static var limit: Self { Self("limit") }
  public static var link: Self { Self("link") }
  public static var linkedAt: Self { Self("linked_at") }
  public static var lockedDevices: Self { Self("locked_devices") }
  public static var locked: Self { Self("locked") }
  public static var lockedAccounts: Self { Self("locked_accounts") }
  public static var lockedUntil: Self { Self("locked_until") }
  public static var locks: Self { Self("locks") }
  public static var loginHint: Self { Self("login_hint") }
  public static var maximum: Self { Self("maximum") }
  public static var messages: Self { Self("messages") }
  public static var messenger: Self { Self("messenger") }
  public static var minimum: Self { Self("minimum") }
  public static var mistakes: Self { Self("mistakes") }
  public static var model: Self { Self("model") }
  public static var name: Self { Self("name") }
  public static var newPassword: Self { Self("new_password") }
  public static var notes: Self { Self("notes") }
  public static var notices: Self { Self("notices") }
  public static var openSessions: Self { Self("open_sessions") }
  public static var now: Self { Self("now") }
  public static var organization: Self { Self("organization") }
  public static var organizations: Self { Self("organizations") }
  public static var origins: Self { Self("origins") }
  public static var otp: Self { Self("otp") }
  public static var outcome: Self { Self("outcome") }
  public static var own: Self { Self("own") }
  public static var owner: Self { Self("owner") }
  public static var parcels: Self { Self("parcels") }
  public static var passed: Self { Self("passed") }
  public static var password: Self { Self("password") }
  public static var passwordAvailableAt: Self { Self("password_available_at") }
  public static var passwordProved: Self { Self("password_proved") }
  public static var passwordReset: Self { Self("password_reset") }
  public static var path: Self { Self("path") }
  public static var pendingAccounts: Self { Self("pending_accounts") }
  public static var peer: Self { Self("peer") }
  public static var permissions: Self { Self("permissions") }
  public static var phone: Self { Self("phone") }
  public static var phoneNumber: Self { Self("phone_number") }
  public static var phoneProved: Self { Self("phone_proved") }
  public static var phoneNumberUnverifiedSince: Self { Self("phone_number_unverified_since") }
  public static var photo: Self { Self("photo") }
  public static var place: Self { Self("place") }
  public static var policy: Self { Self("policy") }
  public static var price: Self { Self("price") }
  public static var problem: Self { Self("problem") }
  public static var productID: Self { Self("product_id") }
  public static var productName: Self { Self("product_name") }
  public static var products: Self { Self("products") }
  public static var proofKey: Self { Self("proof_key") }
  public static var proposedAt: Self { Self("proposed_at") }
  public static var provider: Self { Self("provider") }
  public static var providerByEmail: Self { Self("provider_by_email") }
  public static var providers: Self { Self("providers") }
  public static var purchasedOn: Self { Self("purchased_on") }
  public static var query: Self { Self("query") }
  public static var reason: Self { Self("reason") }
  public static var receipt: Self { Self("receipt") }
  public static var receivedAt: Self { Self("received_at") }
  public static var recipient: Self { Self("recipient") }
  public static var record: Self { Self("record") }
  public static var redirectURI: Self { Self("redirect_uri") }
  public static var refreshToken: Self { Self("refresh_token") }
  public static var refreshTokenTimeout: Self { Self("refresh_token_timeout") }
  public static var registrationSession: Self { Self("registration_session") }
  public static var remaining: Self { Self("remaining") }
  public static var remedy: Self { Self("remedy") }
  public static var removed: Self { Self("removed") }
  public static var requestedAt: Self { Self("requested_at") }
  public static var requestURI: Self { Self("request_uri") }
  public static var requireDPoPNonce: Self { Self("require_dpop_nonce") }
  public static var resend: Self { Self("resend") }
  public static var resendAt: Self { Self("resend_at") }
  public static var resetSession: Self { Self("reset_session") }
  public static var resource: Self { Self("resource") }
  public static var responseType: Self { Self("response_type") }
  public static var result: Self { Self("result") }
  public static var results: Self { Self("results") }
  public static var retryIn: Self { Self("retry_in") }
  public static var role: Self { Self("role") }
  public static var roles: Self { Self("roles") }
  public static var scope: Self { Self("scope") }
  public static var scopes: Self { Self("scopes") }
  public static var securityNoticesBySMS: Self { Self("security_notices_by_sms") }
  public static var seen: Self { Self("seen") }
  public static var segments: Self { Self("segments") }
  public static var send: Self { Self("send") }
  public static var sentAt: Self { Self("sent_at") }
  public static var sequence: Self { Self("sequence") }
  public static var serialNumber: Self { Self("serial_number") }
  public static var serviceRequests: Self { Self("service_requests") }
  public static var session: Self { Self("session") }
  public static var sessions: Self { Self("sessions") }
  public static var signIn: Self { Self("sign_in") }
  public static var source: Self { Self("source") }
  public static var startedAt: Self { Self("started_at") }
  public static var startsAt: Self { Self("starts_at") }
  public static var signIns: Self { Self("sign_ins") }
  public static var state: Self { Self("state") }
  public static var status: Self { Self("status") }
  public static var steps: Self { Self("steps") }
  public static var subject: Self { Self("subject") }
  public static var summary: Self { Self("summary") }
  public static var syncedAt: Self { Self("synced_at") }
  public static var system: Self { Self("system") }
  public static var tag: Self { Self("tag") }
  public static var text: Self { Self("text") }
  public static var title: Self { Self("title") }
  public static var to: Self { Self("to") }
  public static var token: Self { Self("token") }
  public static var tokenType: Self { Self("token_type") }
  public static var total: Self { Self("total") }
  public static var town: Self { Self("town") }
  public static var transferredAt: Self { Self("transferred_at") }
  public static var tries: Self { Self("tries") }
  public static var type: Self { Self("type") }
  public static var uiLocales: Self { Self("ui_locales") }
  public static var undo: Self { Self("undo") }
  public static var undoneAt: Self { Self("undone_at") }
  public static var undoUntil: Self { Self("undo_until") }
  public static var unlock: Self { Self("unlock") }
  public static var until: Self { Self("until") }
  public static var username: Self { Self("username") }
  public static var value: Self { Self("value") }
  public static var values: Self { Self("values") }
  public static var version: Self { Self("version") }
  public static var warrantyExpiresOn: Self { Self("warranty_expires_on") }
  public static var warrantyProvider: Self { Self("warranty_provider") }
  public static var with: Self { Self("with") }
}

extension JSONMember {
  public init(_ field: WireField, _ value: String) { self.init(field.rawValue, value) }
  public init(_ field: WireField, _ value: Int64) { self.init(field.rawValue, value) }
  public init(_ field: WireField, _ value: Bool) { self.init(field.rawValue, value) }
  public init(_ field: WireField, _ value: JSON) { self.init(field.rawValue, value) }

  /// A member that exists only if its value exists.
  public init?(_ field: WireField, ifPresent value: String?) {
    self.init(field.rawValue, ifPresent: value)
  }

  public init?(_ field: WireField, ifPresent value: Int64?) {
    self.init(field.rawValue, ifPresent: value)
  }

  public func isNamed(_ field: WireField) -> Bool { isNamed(field.rawValue) }
}

extension JSON {
  public subscript(_ field: WireField) -> JSON? { self[field.rawValue] }

  public func text(_ field: WireField) -> String? { text(field.rawValue) }
  public func flag(_ field: WireField) -> Bool? { flag(field.rawValue) }
  public func elements(_ field: WireField) -> [JSON]? { elements(field.rawValue) }
  public func count(_ field: WireField) -> Int64? { count(field.rawValue) }
  public func seconds(_ field: WireField) -> Int64? { seconds(field.rawValue) }
  public func unixSeconds(_ field: WireField) -> Int64? { unixSeconds(field.rawValue) }
  public func unixMilliseconds(_ field: WireField) -> Int64? { unixMilliseconds(field.rawValue) }
}
