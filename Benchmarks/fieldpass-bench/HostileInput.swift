import SignInModel
import SignInWire

/// Inputs that are meant to be slow, with the maximum size that the server accepts.
enum HostileInput {
  static let bodyBytes = 64 << 10

  /// A request without credentials.
  struct Request: Sendable {
    let name: String
    var method = "POST"
    let path: String
    var fields: [String] = []
    var body: [UInt8] = []

    var byteCount: Int { body.count + fields.reduce(path.utf8.count) { $0 + $1.utf8.count } }
  }

  /// Combining marks in an order that is slow to normalize.
  static let marks = "\u{301}\u{323}"
  /// The longest allowed run of marks.
  static let run = String(repeating: marks, count: 15)

  private static func filled(_ head: String, with piece: String, _ tail: String) -> [UInt8] {
    let room = bodyBytes - head.utf8.count - tail.utf8.count
    let count = room / piece.utf8.count
    return Array(head.utf8) + Array(String(repeating: piece, count: count).utf8) + Array(tail.utf8)
  }

  private static func numbered(_ count: Int, _ head: String, _ piece: (Int) -> String) -> [UInt8] {
    Array((head + (0..<count).map(piece).joined(separator: ",") + "}").utf8)
  }

  /// JSON documents that may be slow to read.
  static let documents: [(name: String, bytes: [UInt8])] = [
    ("one name of marks", filled("{\"", with: marks, "\":0}")),
    ("names of marks", numbered(250, "{") { "\"\(run)\(run)\(run)\($0)\":0" }),
    (
      "names with the same beginning",
      numbered(256, "{") {
        "\"\(String(repeating: "n", count: 240))\($0)\":0"
      }
    ),
    ("6,500 members", numbered(6500, "{") { "\"m\($0)\":0" }),
    (
      "4,000 texts",
      Array(("{\"a\":[" + repeatElement("\"\"", count: 4000).joined(separator: ",") + "]}").utf8)
    ),
    ("only brackets", filled("", with: "[", "")),
    ("escapes", filled("{\"a\":\"", with: "\\u0061", "\"}")),
    ("letters with marks", filled("{\"a\":\"", with: "a" + run, "\"}")),
    ("digits", filled("{\"a\":", with: "9", "}")),
  ]

  private static let terms =
    "response_type=code&code_challenge=x&code_challenge_method=S256&password=x"

  static let forms: [(name: String, bytes: [UInt8])] = [
    ("client of marks", filled("\(terms)&client_id=", with: marks, "")),
    ("client of letters with marks", filled("\(terms)&client_id=", with: "a" + run, "")),
    ("words as scope", filled("client_id=technician-app&\(terms)&scope=", with: "x+", "")),
    ("words as language", filled("client_id=technician-app&\(terms)&ui_locales=", with: "x+", "")),
    ("spaces as address", filled("client_id=technician-app&\(terms)&username=", with: "+", "")),
    (
      "64 similar names",
      Array((0..<64).map { "\(run)\(run)\(run)\($0)=1" }.joined(separator: "&").utf8)
    ),
  ]

  static let requests: [Request] =
    documents.map { document in
      Request(
        name: "JSON: \(document.name)", path: Endpoint.forgotPassword.path,
        fields: ["Content-Type: application/json"], body: document.bytes
      )
    }
    + forms.map { form in
      Request(
        name: "form: \(form.name)", path: Endpoint.forgotPassword.path,
        fields: ["Content-Type: application/x-www-form-urlencoded"], body: form.bytes
      )
    } + heads

  private static var heads: [Request] {
    let claims = "{" + (0..<12).map { "\"\(run)\($0)\":\"\(run)\"" }.joined(separator: ",") + "}"
    let part = Base64URL.encode(Array(claims.utf8))
    let token = "\(part).\(part).AAAA"
    return [
      Request(
        name: "head: a token and a proof of marks", method: "GET", path: Endpoint.me.path,
        fields: ["Authorization: DPoP \(token)", "DPoP: \(token)"]
      ),
      Request(
        name: "head: languages", method: "GET", path: Endpoint.me.path,
        fields: ["Accept-Language: \(String(repeating: "x;q=1,", count: 2500))"]
      ),
      Request(
        name: "head: 60 fields", method: "GET", path: Endpoint.me.path,
        fields: (0..<60).map { "X-\($0): \(String(repeating: "é,", count: 60))" }
      ),
      Request(
        name: "head: a path of marks", method: "GET",
        path: Endpoint.sessions.path + "/" + String(repeating: "%CC%81%CC%A3", count: 600)
      ),
    ]
  }
}
