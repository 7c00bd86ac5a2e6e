import HTTPServer
import JSONText
import SignInModel
import SignInRules
import SignInService
import SignInWire

extension Route {
  static func organizations(_ call: Call) async -> HTTPResponse {
    await asAdministrator(call) { _ in
      let entries = call.world.organizations.map { organization in
        JSON.members([
          JSONMember("id", organization.id.text), JSONMember("name", organization.name),
        ])
      }
      return .json(.members([JSONMember("organizations", .array(entries))]))
    }
  }

  /// The apps and their policies as configured, in the configuration's own words.
  static func clients(_ call: Call) async -> HTTPResponse {
    await asAdministrator(call) { _ in
      let clients = call.world.clients.values.sorted { $0.id.text < $1.id.text }
      return .json(.members([JSONMember("clients", .array(clients.map { $0.json }))]))
    }
  }

  static func messages(_ call: Call) async -> HTTPResponse {
    await asAdministrator(call) { _ in
      switch ListWish.read(call) {
      case .refusal(let refusal): return .dataRefusal(refusal)
      case .success(let wish):
        let page = await listMessages(cursor: wish.cursor, limit: wish.limit, in: call.world)
        return listed("messages", page) { $0.json }
      }
    }
  }

  /// Events as they are hashed, each with its hash, so that anybody can follow the chain.
  static func events(_ call: Call) async -> HTTPResponse {
    await asAdministrator(call) { _ in
      switch ListWish.read(call) {
      case .refusal(let refusal): return .dataRefusal(refusal)
      case .success(let wish):
        let page = await pageEvents(
          of: wish.form["account"].map { AccountID($0) }, cursor: wish.cursor, limit: wish.limit,
          in: call.world
        )
        return listed("events", page) { event in
          let hash = JSONMember("hash", Base64URL.encode(event.hash))
          return .object((event.json.objectMembers ?? []) + [hash])
        }
      }
    }
  }
}

extension AppClient {
  fileprivate var json: JSON {
    .members([
      JSONMember("id", id.text),
      JSONMember("name", name),
      JSONMember("home", home.rawValue),
      JSONMember("sign_in", signIn.rawValue),
      JSONMember("roles", .array(roles.map { JSON.string($0.rawValue) })),
      JSONMember("scopes", .array(scopes.map { JSON.string($0) })),
      JSONMember("disclosure", disclosure.rawValue),
      JSONMember("dpop_required", requiresDPoP),
      JSONMember("require_dpop_nonce", requiresProofNonce),
      JSONMember("code", codeJSON),
      JSONMember("lockout", lockoutJSON),
      JSONMember("throttle", throttleJSON),
      JSONMember("messages", messagesJSON),
      countries.isEmpty
        ? nil : JSONMember("countries", .array(countries.map { JSON.string($0) })),
      JSONMember("access_token_seconds", accessTokenSeconds),
      JSONMember("session_seconds", sessionSeconds),
      JSONMember("idle_seconds", idleSeconds),
      JSONMember("background_seconds", backgroundSeconds),
      JSONMember("unlock", unlock.rawValue),
      JSONMember("offline_seconds", offlineSeconds),
      JSONMember("default_country", ifPresent: defaultCountry),
      JSONMember("allow_registration", allowsRegistration),
    ])
  }

  private var codeJSON: JSON {
    .members([
      JSONMember("digits", code.digits),
      JSONMember("life_seconds", code.lifeSeconds),
      JSONMember("resend_seconds", code.resendSeconds),
    ])
  }

  private var lockoutJSON: JSON {
    .members([
      JSONMember("failures", lockout.failureLimit),
      JSONMember("lock_seconds", lockout.lockSeconds),
      JSONMember("longest_lock_seconds", lockout.longestLockSeconds),
      JSONMember("stop_after", lockout.stopLimit),
    ])
  }

  private var throttleJSON: JSON {
    .members([
      JSONMember("sends_per_address_per_hour", throttle.addressSendsPerHour),
      JSONMember("failures_per_address_per_hour", throttle.addressFailuresPerHour),
      JSONMember("sends_per_device_per_hour", throttle.deviceSendsPerHour),
    ])
  }

  private var messagesJSON: JSON {
    .members([
      JSONMember("per_number_per_hour", messages.perNumberPerHour),
      JSONMember("per_number_per_day", messages.perNumberPerDay),
      JSONMember("per_prefix_per_day", messages.perPrefixPerDay),
      JSONMember("per_organization_per_day", messages.perOrganizationPerDay),
      JSONMember("per_day", messages.perDay),
    ])
  }
}
