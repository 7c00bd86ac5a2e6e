import SignInModel
import SignInWire
import Testing

@testable import SignInFlow

/// What is on a shelf: found, sorted, searched, changed, and kept as text.
@Suite struct ShelfTests {
  static func product(_ id: String, _ name: String, model: String = "M") -> ProductEntry {
    ProductEntry(
      id: ProductID(id), name: name, model: model, serialNumber: "S-\(id)", category: "Thing",
      warrantyProvider: nil, purchasedOn: nil, warrantyExpiresOn: CalendarDay(number: 20_000)
    )
  }

  static func part(
    _ key: String, _ products: [ProductEntry] = [], removed: [String] = []
  ) -> ShelfPart {
    var part = ShelfPart(key: key)
    for product in products { part.add(product) }
    for id in removed { part.remove(id) }
    return part
  }

  private func names(_ shelf: Shelf<ProductEntry>, at row: Int = 0) -> [String] {
    shelf.window(at: row).items.map(\.name)
  }

  @Test(
    "O-01 text is searched without case and accents",
    arguments: [
      ("KÜHL", "kuhl"), ("Ærø", "aero"), ("Straße", "strasse"), ("ΆΛΦΑ", "αλφα"),
      ("ёлка", "елка"), ("Ž ŵ ſ", "z w s"), ("أحمد", "احمد"), ("مُـحَمَّد", "محمد"),
      ("e\u{301}", "e"), ("Ａ１", "a1"), ("日本 🧺", "日本 🧺"), ("a\u{A0}b\u{2011}c", "a b-c"),
    ])
  func folding(_ text: String, _ folded: String) {
    #expect(String(decoding: FoldedText.fold(text), as: UTF8.self) == folded)
  }

  @Test("O-01 things are sorted by name, whatever its case and accents")
  func order() {
    let shelf = Shelf<ProductEntry>([
      Self.part(
        "a",
        [
          Self.product("1", "oven"), Self.product("2", "Över"), Self.product("3", "Äpple"),
          Self.product("4", "apple"), Self.product("5", "Zebra"), Self.product("6", "ثلاجة"),
          Self.product("7", "Long name with one beginning B"),
          Self.product("8", "Long name with one beginning A"),
        ])
    ])

    #expect(
      names(shelf) == [
        "apple", "Äpple", "Long name with one beginning A", "Long name with one beginning B",
        "oven", "Över", "Zebra", "ثلاجة",
      ])
  }

  @Test("O-01 every word is searched in name, model and serial number")
  func search() {
    var shelf = Shelf<ProductEntry>([
      Self.part(
        "a",
        [
          Self.product("1", "Kühlschrank", model: "X-9"), Self.product("2", "Kühltruhe"),
          Self.product("3", "Backofen"),
        ])
    ])

    for (text, found) in [
      ("kuhl", ["Kühlschrank", "Kühltruhe"]), ("KÜHL x-9", ["Kühlschrank"]),
      ("s-3", ["Backofen"]), ("  ", ["Backofen", "Kühlschrank", "Kühltruhe"]), ("zzz", []),
    ] {
      shelf.search(text)
      #expect(names(shelf) == found, "\(text)")
      #expect(shelf.shownCount == found.count)
    }
    shelf.search("ofen")
    shelf.apply(Self.part("b", [Self.product("4", "Ofen")]), { "c" })
    #expect(names(shelf) == ["Backofen", "Ofen"])
  }

  @Test(
    "O-09 a window holds the rows in sight, and some above and below",
    arguments: [
      (59, 0, 0..<59), (60, 0, 0..<60), (61, 0, 0..<60), (100, 1, 0..<61), (100, 20, 0..<80),
      (100, 21, 1..<81), (100, 40, 20..<100), (100, 41, 20..<100), (100, 99, 20..<100),
      (100, 101, 20..<100), (100, Int.max, 20..<100), (100, -1, 0..<60), (20, 19, 0..<20),
      (0, 0, 0..<0),
    ])
  func window(_ count: Int, _ row: Int, _ rows: Range<Int>) {
    let products = (0..<count).map { Self.product("\($0)", "Name \(1000 + $0)") }
    let shelf = Shelf<ProductEntry>([Self.part("a", products)])

    let (first, items) = shelf.window(at: row)

    #expect(first == rows.lowerBound)
    #expect(items.map(\.name) == products[rows].map(\.name))
  }

  @Test("O-05 any changes lead to what they say", arguments: 1...30 as ClosedRange<UInt64>)
  func model(_ seed: UInt64) {
    var state = seed &* 0x9E37_79B9_7F4A_7C15
    func draw(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
    var shelf = Shelf<ProductEntry>()
    var expected: [String: ProductEntry] = [:]
    var key = 0

    for _ in 0..<40 {
      var changes = ShelfPart(key: "p\(key)")
      for _ in 0..<draw(draw(4) == 0 ? 200 : 6) {
        let id = "\(draw(150))"
        if draw(3) == 0 {
          changes.remove(id)
          expected[id] = nil
        } else {
          let product = Self.product(id, ["Ä", "a", "B", "ß"][draw(4)] + "\(draw(50))")
          changes.add(product)
          expected[id] = product
        }
      }
      key += 1
      shelf.apply(changes) {
        key += 1
        return "j\(key)"
      }
    }

    #expect(shelf.count == expected.count)
    for (id, product) in expected { #expect(shelf.item(id) == product) }
    let reopened = Shelf<ProductEntry>(
      shelf.parts.compactMap { ShelfPart(key: $0.key, bytes: $0.bytes) })
    for row in stride(from: 0, to: expected.count, by: Shelf<ProductEntry>.rowsBelow) {
      #expect(names(shelf, at: row) == names(reopened, at: row))
    }
    #expect(Set(shelf.parts.map(\.key)).count == shelf.parts.count)
    #expect(shelf.parts.count < 12)
  }

  @Test("O-05 small parts are joined, up to five hundred lines", arguments: [499, 500, 501])
  func joining(_ lines: Int) {
    let base = (0..<(lines - 1)).map { Self.product("\($0)", "Name \($0)") }
    var shelf = Shelf<ProductEntry>([Self.part("a", Array(base.prefix(base.count / 2 + 1)))])

    shelf.apply(Self.part("b", Array(base.suffix(base.count / 2 + 1))), { "c" })

    #expect(shelf.parts.map(\.key) == (lines <= ShelfPart.lineLimit ? ["c"] : ["a", "b"]))
    #expect(shelf.item("0") != nil && shelf.item("\(lines - 2)") != nil)
  }

  @Test("O-06 no name forges a field or a line")
  func forging() throws {
    let nasty = Self.product("1", "a\tb\n+\tevil\tname")
    let part = Self.part("a", [nasty])
    let read = try #require(ShelfPart(key: "a", bytes: part.bytes))

    let shelf = Shelf<ProductEntry>([read])

    #expect(read.lineCount == 1 && shelf.count == 1)
    #expect(shelf.item("1")?.name == "a b +" + " evil name")
  }

  @Test(
    "O-06 text that is none of ours is refused",
    arguments: ["x", "+", "+\t1", "+1\tname\n", "*\t1\tname\n", "+\t1\n\n", "\n"])
  func malformed(_ text: String) {
    #expect(ShelfPart(key: "a", bytes: Array(text.utf8)) == nil)
  }

  @Test("L-26 a record of this version is read by every later one")
  func fixture() throws {
    let text =
      "+\tproduct-9\tOven\tM-1\tS1\tOven\tProvider\t2024-02-29\t2027-01-31\n"
      + "+\tproduct-8\tKettle\tM-2\tS2\t\t\t\t\n-\tproduct-7\n"
    let shelf = Shelf<ProductEntry>([
      try #require(ShelfPart(key: "a", bytes: Array(text.utf8)))
    ])

    let oven = try #require(shelf.item("product-9"))
    #expect(oven.purchasedOn?.text == "2024-02-29" && oven.warrantyExpiresOn?.text == "2027-01-31")
    #expect(oven.warrantyProvider == "Provider" && oven.category == "Oven")
    let kettle = try #require(shelf.item("product-8"))
    #expect(kettle.warrantyProvider == nil && kettle.purchasedOn == nil)
    #expect(kettle.warrantyExpiresOn == nil && shelf.count == 2)
  }
}
