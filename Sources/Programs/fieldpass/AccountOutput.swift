import Glibc
import JSONText
import SignInModel
import SignInWire

/// Prints accounts on standard output: as aligned text, or as JSON for programs.
struct AccountOutput {
  let entries: [AccountEntry]
  let isJSON: Bool
  let isList: Bool

  func print() { Swift.print(text, terminator: "") }

  private var text: String {
    switch (isJSON, isList) {
    case (true, true): line(.members([JSONMember("accounts", .array(entries.map { $0.json }))]))
    case (true, false): entries.map { line($0.json) }.joined()
    case (false, true): table
    case (false, false): entries.map(card).joined()
    }
  }

  private func line(_ json: JSON) -> String { String(decoding: json.utf8, as: UTF8.self) + "\n" }

  private var table: String {
    let heads = ["ID", "STATUS", "ROLE", "PHONE", "EMAIL", "NAME"]
    let rows = entries.map { entry in
      [entry.id.text, entry.status, entry.role, entry.phone ?? "-", entry.email ?? "-", entry.name]
        .map(Self.printable)
    }
    let widths = heads.indices.map { column in
      ([heads] + rows).map { $0[column].count }.max() ?? 0
    }
    let lines = ([heads] + rows).map { row in
      let cells = row.indices.dropLast().map { Self.padded(row[$0], to: widths[$0]) }
      return (cells + [row.last ?? ""]).joined(separator: "  ")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func card(_ entry: AccountEntry) -> String {
    let rows = [
      ("id", entry.id.text), ("name", entry.name), ("email", entry.email ?? "-"),
      ("phone", entry.phone ?? "-"),
      ("unverified", entry.phoneUnverifiedSince.map { "since " + Self.moment($0) } ?? "-"),
      ("email proof", entry.emailProof?.rawValue ?? "none"),
      ("phone proof", entry.phoneProof?.rawValue ?? "none"),
      ("role", entry.role), ("status", entry.status),
      ("organizations", organizations(entry)), ("permissions", permissions(entry)),
      ("password", entry.hasPassword ? "yes" : "none"),
      ("failures", String(entry.failuresInRow)),
      ("locked until", entry.lockedUntil.map(Self.moment) ?? "-"),
      ("locked devices", String(entry.lockedDevices)),
      ("created at", Self.moment(entry.createdAt)),
      ("new password", entry.passwordAvailableAt.map { "from " + Self.moment($0) } ?? "-"),
      ("erased at", entry.erasureAt.map(Self.moment) ?? "-"),
    ]
    return rows.map { Self.padded($0.0, to: 15) + Self.printable($0.1) + "\n" }.joined()
  }

  private func organizations(_ entry: AccountEntry) -> String {
    entry.organizations.isEmpty ? "-" : entry.organizations.map { $0.text }.joined(separator: " ")
  }

  private func permissions(_ entry: AccountEntry) -> String {
    let texts = entry.permissions.map { permission in
      permission.organization.map { "\(permission.level):\($0.text)" } ?? permission.level
    }
    return texts.isEmpty ? "-" : texts.joined(separator: " ")
  }

  /// In UTC, so that operators in different time zones see the same text.
  static func moment(_ moment: Instant) -> String {
    var seconds = time_t(moment.seconds)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    var text = [CChar](repeating: 0, count: 32)
    let count = strftime(&text, text.count, "%Y-%m-%d %H:%M:%S UTC", &parts)
    return String(decoding: text[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  /// Replaces control characters.
  ///
  /// A person can choose any name, and a name must not send commands to the operator's terminal.
  private static func printable(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { scalar in
          switch scalar.properties.generalCategory {
          case .control, .format, .lineSeparator, .paragraphSeparator: "?"
          default: scalar
          }
        }
      )
    )
  }
}
