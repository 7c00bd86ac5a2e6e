import JSONText
import SignInEngine
import SignInFlow
import SignInModel
import SignInScreens
import SignInWire

/// The time in which a native app shows the first rows of an opened offline copy.
struct OfflineCopyTimes {
  static let counts = [60, 10_000]
  private static let rounds = 20
  private static let partLines = 500
  private static let opened = Instant(seconds: 1_900_000_000)

  let count: Int
  let bytes: Int
  let times: Sample

  static func measure(_ count: Int) throws(BenchFault) -> OfflineCopyTimes {
    let pieces = pieces(count)
    var times = Sample()
    for _ in 0..<rounds {
      var flow = AppFlow<ProductsHome>()
      _ = flow.handle(.started(utcOffsetSeconds: 0, app: .product, page: "bench"), at: opened)
      _ = flow.handle(.storage(.read(.value(Secret(session)), seen: Secret(seen))), at: opened)
      let (screen, took) = Stopwatch.seconds {
        _ = flow.handle(.home(.offlineCopy(.read(.value(pieces)))), at: opened)
        return flow.screen
      }
      guard showsRows(screen.parts) else {
        throw BenchFault("an offline copy of \(count) products was not shown")
      }
      times.add(took)
    }
    let bytes = pieces.reduce(0) { $0 + $1.bytes.count }
    return OfflineCopyTimes(count: count, bytes: bytes, times: times)
  }

  static func measureAll() throws(BenchFault) -> [OfflineCopyTimes] {
    var copies: [OfflineCopyTimes] = []
    for count in counts { copies.append(try measure(count)) }
    return copies
  }

  /// On a wide screen, the list is beside the page of one item.
  private static func showsRows(_ parts: [Part]) -> Bool {
    parts.contains { part in
      switch part {
      case .window(_, _, _, _, let rows): !rows.isEmpty
      case .split(_, let list, _, _): showsRows(list)
      default: false
      }
    }
  }

  var bar: Bar {
    let limit = Bar.offlineSeconds[count] ?? 0
    return Bar(
      "O-09 \(count) products, opened records to first rows: under"
        + " \(Figure.milliseconds(limit)) ms",
      Figure.milliseconds(times.median), isMet: times.median < limit
    )
  }

  static func print(_ copies: [OfflineCopyTimes]) {
    var table = Table(
      "An offline copy, from its opened records to the screen with its first rows, natively",
      "products", "bytes", "median ms", "P95 ms"
    )
    for list in copies {
      table.add(
        "\(list.count)", Figure.count(Double(list.bytes)),
        Figure.milliseconds(list.times.median), Figure.milliseconds(list.times.quantile(0.95))
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

  /// A record of use just now.
  private static var seen: String {
    let clockReadings = JSON.members([
      JSONMember("device", opened.milliseconds), JSONMember("server", opened.milliseconds),
    ])
    let seen = JSON.members([
      JSONMember("version", 1), JSONMember("shown", clockReadings),
      JSONMember("used", clockReadings),
    ])
    return String(decoding: seen.utf8, as: UTF8.self)
  }

  private static func pieces(_ count: Int) -> [SealedRecord] {
    var parts: [SealedRecord] = []
    for start in stride(from: 0, to: count, by: partLines) {
      var text = ""
      for number in start..<min(count, start + partLines) {
        // Unsorted, as a data feed has them.
        let name = number * 7919 % 10_007
        text += "+\tproduct-\(number)\tThing number \(name)\tMODEL-\(number % 97)\tSN\(number)\t"
        text += "Thing\tProvider of warranties\t2025-01-31\t2029-06-30\n"
      }
      parts.append(SealedRecord(key: "bench-\(start)", bytes: Array(text.utf8)))
    }
    let lease = OfflineLease(
      issuer: "x", account: AccountID("owner"), client: ClientID("product-app"),
      organization: nil, list: "products", session: SessionID("s"), issuedAt: opened,
      expiresAt: opened.adding(seconds: 1000)
    )
    let head = JSON.members([
      JSONMember("version", 1), JSONMember("cursor", "c"), JSONMember("as_of", opened.seconds),
      JSONMember("lease", token(OfflineLease.type, lease.claims)),
      JSONMember("seen_at", opened.seconds),
      JSONMember("parts", .array(parts.map { JSON.string($0.key) })),
    ])
    return [SealedRecord(key: "head", bytes: head.utf8)] + parts
  }
}
