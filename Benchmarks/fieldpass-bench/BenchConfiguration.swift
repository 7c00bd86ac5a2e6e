import Glibc

/// The configuration of the measured server: the demo's apps for technicians and riders, with
/// message budgets that a day of load cannot use up, and the console.
///
/// The same load accounts use both apps. Their numbers are in one block, so that the standard
/// budget of a block would end the measurement after a thousand sign-ins. The limits are still
/// checked and counted.
enum BenchConfiguration {
  private static let text = """
    {
      "clients": [{
        "id": "technician-app", "name": "Technicians", "home": "assigned_jobs",
        "sign_in": "password_and_code", "roles": ["technician"],
        "scopes": ["openid", "offline_access", "jobs", "products"],
        "messages": { "per_prefix_per_day": 10000000, "per_day": 10000000,
          "conversion_checked_after": 10000000 }
      }, {
        "id": "rider-app", "name": "Riders", "home": "dashboard",
        "sign_in": "phone_code", "roles": ["technician"], "disclosure": "disclosed",
        "scopes": ["openid", "offline_access", "dashboard"],
        "messages": { "per_prefix_per_day": 10000000, "per_day": 10000000,
          "conversion_checked_after": 10000000 }
      }, {
        "id": "console", "name": "Console", "home": "console",
        "sign_in": "password_and_code", "roles": ["administrator"],
        "scopes": ["openid", "offline_access", "admin"]
      }MEMBERS],
      "messengers": [MESSENGERS]PROVIDERSSTORE
    }
    """

  /// An identity provider on this machine.
  typealias Provider = (name: String, issuer: String)

  /// The store of the server as in a configuration; `nil` for a SQLite database in the folder.
  ///
  /// It measures another database, such as `{"kind": "postgres", …}`.
  static var store: String? { getenv("FIELDPASS_BENCH_STORE").map { String(cString: $0) } }

  /// The address to which the result of a sign-in at a provider goes.
  ///
  /// No program listens there.
  static let redirectURI = "http://127.0.0.1/done"

  /// The app whose people sign in at the providers.
  private static func members(_ providers: [Provider]) -> String {
    if providers.isEmpty { return "" }
    let names = providers.map { "\"\($0.name)\"" }.joined(separator: ", ")
    return """
      , {
        "id": "member-app", "name": "Members", "home": "none", "roles": ["technician"],
        "sign_in": "password_and_code", "scopes": ["openid", "offline_access"],
        "providers": [\(names)], "redirect_uris": ["\(redirectURI)"]
      }
      """
  }

  private static func list(_ providers: [Provider]) -> String {
    if providers.isEmpty { return "" }
    let entries = providers.map { name, issuer in
      """
      { "name": "\(name)", "kind": "openid", "issuer": "\(issuer)", "scopes": ["openid"],
        "client_id": "\(LoadIdentityProvider.client)", "signing_algorithms": ["ES256"],
        "client_secret_env": "FIELDPASS_BENCH_HOOK", "create_accounts": true,
        "role": "technician" }
      """
    }
    return ", \"providers\": [\(entries.joined(separator: ", "))]"
  }

  static let inbox = #"{ "name": "inbox", "kind": "inbox" }"#

  /// Webhooks at these addresses, in this order.
  ///
  /// Their secret is in the environment.
  static func hooks(_ addresses: [String]) -> String {
    let entries = addresses.enumerated().map { number, address in
      #"{ "name": "hook-\#(number)", "kind": "webhook", "url": "\#(address)", "#
        + #""secret_env": "FIELDPASS_BENCH_HOOK" }"#
    }
    return entries.joined(separator: ", ")
  }

  static func write(
    _ messengers: String, _ providers: [Provider], to path: String
  ) throws(BenchFault) {
    let filled = text.replacing("MESSENGERS", with: messengers)
      .replacing("MEMBERS", with: members(providers)).replacing("PROVIDERS", with: list(providers))
      .replacing("STORE", with: store.map { ", \"store\": \($0)" } ?? "")
    try TextFile.write(filled, to: path)
  }
}
