import JSONText
import SignInFlow
import SignInModel
import SignInScreens
import SignInWire

/// How long the app's core takes from the bytes of a kept shelf to the screen with its first rows.
struct ShelfTimes {
  static let counts = [60, 10_000]
  private static let rounds = 20
  private static let partLines = 500
  private static let opened = Instant(seconds: 1_900_000_000)

  let count: Int
  let bytes: Int
  let seconds: Sample

  static func measure(_ count: Int) throws(BenchFault) -> ShelfTimes {
    let pieces = pieces(count)
    var sample = Sample()
    for _ in 0..<rounds {
      var flow = AppFlow()
      _ = flow.handle(.started(utcOffsetSeconds: 0, app: .product, page: "bench"), at: opened)
      _ = flow.handle(.storageRead(.value(session)), at: opened)
      let (screen, took) = Stopwatch.seconds {
        _ = flow.handle(.home(.shelf(.read(.value(pieces)))), at: opened)
        return flow.screen
      }
      guard screen.parts.contains(where: { if case .window = $0 { true } else { false } }) else {
        throw BenchFault("a kept shelf of \(count) products was not shown")
      }
      sample.add(took)
    }
    let bytes = pieces.reduce(0) { $0 + $1.bytes.count }
    return ShelfTimes(count: count, bytes: bytes, seconds: sample)
  }

  static func print(_ shelves: [ShelfTimes]) {
    var table = Table(
      "A kept shelf, from its opened bytes to the screen with its first rows: the app's core alone",
      "products", "bytes", "median ms", "P95 ms"
    )
    for shelf in shelves {
      table.add(
        "\(shelf.count)", Figure.count(Double(shelf.bytes)),
        Figure.milliseconds(shelf.seconds.median),
        Figure.milliseconds(shelf.seconds.quantile(0.95))
      )
    }
    table.print()
  }

  private static func token(_ type: String, _ claims: JSON) -> String {
    let header = JSON.members([JSONMember("typ", type)])
    return Base64URL.encode(header.utf8) + "." + Base64URL.encode(claims.utf8) + ".x"
  }

  private static var session: String {
    let terms = JSON.members([
      JSONMember("id", "s"), JSONMember("expires_at", opened.seconds + 1_000_000),
      JSONMember("idle_timeout", 1_000_000), JSONMember("background_timeout", 300),
      JSONMember("unlock", "none"),
    ])
    let access = token("at+jwt", .members([JSONMember("sub", "owner")]))
    let record = JSON.members([
      JSONMember("version", 1), JSONMember("access_token", access),
      JSONMember("access_expires_at", opened.seconds + 1_000_000), JSONMember("session", terms),
    ])
    return String(decoding: record.utf8, as: UTF8.self)
  }

  private static func pieces(_ count: Int) -> [ShelfPiece] {
    var parts: [ShelfPiece] = []
    for start in stride(from: 0, to: count, by: partLines) {
      var text = ""
      for number in start..<min(count, start + partLines) {
        // In no order, as a feed brings them.
        let name = number * 7919 % 10_007
        text += "+\tproduct-\(number)\tThing number \(name)\tMODEL-\(number % 97)\tSN\(number)\t"
        text += "Thing\tProvider of warranties\t2025-01-31\t2029-06-30\n"
      }
      parts.append(ShelfPiece(key: "bench-\(start)", bytes: Array(text.utf8)))
    }
    let lease = OfflineLease(
      issuer: "x", account: AccountID("owner"), client: ClientID("product-app"),
      organization: nil, shelf: "products", session: SessionID("s"), issuedAt: opened,
      expiresAt: opened.adding(seconds: 1000)
    )
    let head = JSON.members([
      JSONMember("version", 1), JSONMember("cursor", "c"), JSONMember("as_of", opened.seconds),
      JSONMember("lease", token(OfflineLease.type, lease.claims)),
      JSONMember("seen_at", opened.seconds),
      JSONMember("parts", .array(parts.map { JSON.string($0.key) })),
    ])
    return [ShelfPiece(key: "head", bytes: head.utf8)] + parts
  }
}
