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
          "brake_after": 10000000 }
      }, {
        "id": "rider-app", "name": "Riders", "home": "dashboard",
        "sign_in": "phone_code", "roles": ["technician"], "disclosure": "disclosed",
        "scopes": ["openid", "offline_access", "dashboard"],
        "messages": { "per_prefix_per_day": 10000000, "per_day": 10000000,
          "brake_after": 10000000 }
      }, {
        "id": "console", "name": "Console", "home": "console",
        "sign_in": "password_and_code", "roles": ["administrator"],
        "scopes": ["openid", "offline_access", "admin"]
      }],
      "messengers": [MESSENGERS]
    }
    """

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

  static func write(_ messengers: String, to path: String) throws(BenchFault) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .system("cannot write `\(path)`") }
    defer { close(file) }
    let parts = text.split(separator: "MESSENGERS", omittingEmptySubsequences: false)
    let bytes = Array(parts.joined(separator: messengers).utf8)
    guard Glibc.write(file, bytes, bytes.count) == bytes.count else {
      throw .system("cannot write `\(path)`")
    }
  }
}
