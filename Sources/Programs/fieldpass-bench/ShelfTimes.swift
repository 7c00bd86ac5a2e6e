import JSONText
import ShelfFiles
import SignInFlow
import SignInModel
import SignInScreens
import SignInWire

/// How long a native app takes from the sealed file of a kept shelf to the screen with its first
/// rows.
struct ShelfTimes {
  static let counts = [60, 10_000]
  private static let rounds = 20
  private static let partLines = 500
  private static let opened = Instant(seconds: 1_900_000_000)

  let count: Int
  let bytes: Int
  /// Of the core alone, and with the reading and opening of the file before it.
  let core: Sample
  let whole: Sample

  static func measure(_ count: Int, folder: String) throws(BenchFault) -> ShelfTimes {
    let pieces = pieces(count)
    let file = SealedShelf(
      directory: folder, key: [UInt8](repeating: 7, count: SealedShelf.keyByteCount), server: "x"
    )
    let place = ShelfPlace(
      name: OfflineLease.Shelf.products.rawValue,
      owner: ShelfOwner(
        account: AccountID("owner"), client: ClientID("product-app"), organization: nil
      )
    )
    guard file.write(place, pieces: pieces, kept: []) == .done else {
      throw BenchFault("a shelf could not be written to \(folder)", hint: "check its rights")
    }
    var core = Sample()
    var whole = Sample()
    for _ in 0..<rounds {
      var flow = AppFlow()
      _ = flow.handle(.started(utcOffsetSeconds: 0, app: .product, page: "bench"), at: opened)
      _ = flow.handle(.storageRead(.value(session), seen: seen), at: opened)
      let (reading, opening) = Stopwatch.seconds { file.read(place) }
      let (screen, took) = Stopwatch.seconds {
        _ = flow.handle(.home(.shelf(.read(reading))), at: opened)
        return flow.screen
      }
      guard screen.parts.contains(where: { if case .window = $0 { true } else { false } }) else {
        throw BenchFault("a kept shelf of \(count) products was not shown")
      }
      core.add(took)
      whole.add(opening + took)
    }
    let bytes = pieces.reduce(0) { $0 + $1.bytes.count }
    return ShelfTimes(count: count, bytes: bytes, core: core, whole: whole)
  }

  static func print(_ shelves: [ShelfTimes]) {
    var table = Table(
      "A kept shelf, from its sealed file to the screen with its first rows, natively",
      "products", "bytes", "median ms", "P95 ms", "of it the core, median"
    )
    for shelf in shelves {
      table.add(
        "\(shelf.count)", Figure.count(Double(shelf.bytes)),
        Figure.milliseconds(shelf.whole.median), Figure.milliseconds(shelf.whole.quantile(0.95)),
        Figure.milliseconds(shelf.core.median)
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

  /// The person was there just now.
  private static var seen: String {
    let sighting = JSON.members([
      JSONMember("device", opened.milliseconds), JSONMember("server", opened.milliseconds),
    ])
    let seen = JSON.members([
      JSONMember("version", 1), JSONMember("shown", sighting), JSONMember("used", sighting),
    ])
    return String(decoding: seen.utf8, as: UTF8.self)
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
