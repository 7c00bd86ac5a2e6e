import EngineTesting
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine
@testable import SignInFlow

/// The items of an offline list: found, sorted, searched, changed, and stored as text.
@Suite struct SyncedListTests {
  static func product(_ id: String, _ name: String, model: String = "M") -> ProductEntry {
    ProductEntry(
      id: ProductID(id), name: name, model: model, serialNumber: "S-\(id)", category: "Thing",
      warrantyProvider: nil, purchasedOn: nil, warrantyExpiresOn: CalendarDay(number: 20_000)
    )
  }

  static func part(
    _ key: String, _ products: [ProductEntry] = [], removed: [String] = []
  ) -> ChangeLogPart {
    var part = ChangeLogPart(key: key)
    for product in products { part.add(product) }
    for id in removed { part.remove(id) }
    return part
  }

  private func names(_ list: OfflineList<ProductEntry>, at row: Int = 0) -> [String] {
    list.window(at: row).items.map(\.name)
  }

  @Test(
    "O-01 search ignores case and accents",
    arguments: [
      ("KÜHL", "kuhl"), ("Ærø", "aero"), ("Straße", "strasse"), ("ΆΛΦΑ", "αλφα"),
      ("ёлка", "елка"), ("Ž ŵ ſ", "z w s"), ("أحمد", "احمد"), ("مُـحَمَّد", "محمد"),
      ("e\u{301}", "e"), ("Ａ１", "a1"), ("日本 🧺", "日本 🧺"), ("a\u{A0}b\u{2011}c", "a b-c"),
    ])
  func folding(_ text: String, _ folded: String) {
    #expect(String(decoding: FoldedText.fold(text), as: UTF8.self) == folded)
  }

  @Test("O-01 items are sorted by name without case and accents")
  func order() {
    let list = OfflineList<ProductEntry>([
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
      names(list) == [
        "apple", "Äpple", "Long name with one beginning A", "Long name with one beginning B",
        "oven", "Över", "Zebra", "ثلاجة",
      ])
  }

  @Test("O-02 a status shows the products from its first to its last day, also after changes")
  func statusFilter() {
    let today = CalendarDay(number: 20_000)
    func ending(_ id: String, _ days: Int64?) -> ProductEntry {
      ProductEntry(
        id: ProductID(id), name: id, model: "M", serialNumber: "S", category: "Thing",
        warrantyProvider: nil, purchasedOn: nil,
        warrantyExpiresOn: days.map { today.adding(days: $0) })
    }
    let days: [Int64?] = [-400, -1, 0, 1, 29, 30, 31, 4000, nil]
    let products = days.map { ending($0.map { "\($0)" } ?? "never", $0) }
    var list = OfflineList<ProductEntry>([Self.part("a", products)])
    for status in ProductsHome.filters {
      list.show(only: status.filter(on: today))
      let expected = products.filter { $0.status(on: today) == status }.map(\.name)
      #expect(Set(names(list)) == Set(expected) && list.shownCount == expected.count)
    }

    list.search("1")
    #expect(names(list) == ["-1"])
    list.apply(Self.part("b", [ending("-1", 90), ending("-12", -12)])) { "c" }
    #expect(names(list) == ["-12"])
    let many = (0...70).map { ending("x1-\($0)", $0 % 2 == 0 ? -1 : 90) }
    list.apply(Self.part("d", many)) { "e" }
    #expect(list.shownCount == 37)
    list.show(only: WarrantyStatus.active.filter(on: today))
    list.search("")
    #expect(list.shownCount == list.count)
  }

  @Test("O-01 each word is searched in name, model and serial number")
  func search() {
    var list = OfflineList<ProductEntry>([
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
      list.search(text)
      #expect(names(list) == found, "\(text)")
      #expect(list.shownCount == found.count)
    }
    list.search("ofen")
    list.apply(Self.part("b", [Self.product("4", "Ofen")]), { "c" })
    #expect(names(list) == ["Backofen", "Ofen"])
  }

  @Test(
    "O-09 the list viewport has the visible rows and some above and below",
    arguments: [
      (59, 0, 0..<59), (60, 0, 0..<60), (61, 0, 0..<60), (100, 1, 0..<61), (100, 20, 0..<80),
      (100, 21, 1..<81), (100, 40, 20..<100), (100, 41, 20..<100), (100, 99, 20..<100),
      (100, 101, 20..<100), (100, Int.max, 20..<100), (100, -1, 0..<60), (20, 19, 0..<20),
      (0, 0, 0..<0),
    ])
  func window(_ count: Int, _ row: Int, _ rows: Range<Int>) {
    let products = (0..<count).map { Self.product("\($0)", "Name \(1000 + $0)") }
    let list = OfflineList<ProductEntry>([Self.part("a", products)])

    let (first, items) = list.window(at: row)

    #expect(first == rows.lowerBound)
    #expect(items.map(\.name) == products[rows].map(\.name))
  }

  @Test(
    "O-05 any sequence of changes gives the expected content",
    arguments: 1...30 as ClosedRange<UInt64>)
  func model(_ seed: UInt64) {
    var state = seed &* 0x9E37_79B9_7F4A_7C15
    func draw(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
    var list = OfflineList<ProductEntry>()
    var expected: [String: ProductEntry] = [:]
    var key = 0

    for _ in 0..<40 {
      var changes = ChangeLogPart(key: "p\(key)")
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
      list.apply(changes) {
        key += 1
        return "j\(key)"
      }
    }

    #expect(list.count == expected.count)
    for (id, product) in expected { #expect(list.item(id) == product) }
    let reopened = OfflineList<ProductEntry>(
      list.parts.compactMap { ChangeLogPart(key: $0.key, bytes: $0.bytes) })
    for row in stride(from: 0, to: expected.count, by: OfflineList<ProductEntry>.rowsBelow) {
      #expect(names(list, at: row) == names(reopened, at: row))
    }
    #expect(Set(list.parts.map(\.key)).count == list.parts.count)
    #expect(list.parts.count < 12)
  }

  @Test("O-05 small parts are joined, up to five hundred lines", arguments: [499, 500, 501])
  func joining(_ lines: Int) {
    let base = (0..<(lines - 1)).map { Self.product("\($0)", "Name \($0)") }
    var list = OfflineList<ProductEntry>([Self.part("a", Array(base.prefix(base.count / 2 + 1)))])

    list.apply(Self.part("b", Array(base.suffix(base.count / 2 + 1))), { "c" })

    #expect(list.parts.map(\.key) == (lines <= ChangeLogPart.lineLimit ? ["c"] : ["a", "b"]))
    #expect(list.item("0") != nil && list.item("\(lines - 2)") != nil)
  }

  @Test("O-06 no name can forge a field or a line")
  func forging() throws {
    let nasty = Self.product("1", "a\tb\n+\tevil\tname")
    let part = Self.part("a", [nasty])
    let read = try #require(ChangeLogPart(key: "a", bytes: part.bytes))

    let list = OfflineList<ProductEntry>([read])

    #expect(read.lineCount == 1 && list.count == 1)
    #expect(list.item("1")?.name == "a b +" + " evil name")
  }

  @Test(
    "O-06 text of another format is refused",
    arguments: ["x", "+", "+\t1", "+1\tname\n", "*\t1\tname\n", "+\t1\n\n", "\n"])
  func malformed(_ text: String) {
    #expect(ChangeLogPart(key: "a", bytes: Array(text.utf8)) == nil)
  }

  @Test("L-26 a record of this version is readable by every later version")
  func fixture() throws {
    let text =
      "+\tproduct-9\tOven\tM-1\tS1\tOven\tProvider\t2024-02-29\t2027-01-31\n"
      + "+\tproduct-8\tKettle\tM-2\tS2\t\t\t\t\n-\tproduct-7\n"
    let list = OfflineList<ProductEntry>([
      try #require(ChangeLogPart(key: "a", bytes: Array(text.utf8)))
    ])

    let oven = try #require(list.item("product-9"))
    #expect(oven.purchasedOn?.text == "2024-02-29" && oven.warrantyExpiresOn?.text == "2027-01-31")
    #expect(oven.warrantyProvider == "Provider" && oven.category == "Oven")
    let kettle = try #require(list.item("product-8"))
    #expect(kettle.warrantyProvider == nil && kettle.purchasedOn == nil)
    #expect(kettle.warrantyExpiresOn == nil && list.count == 2)
  }
}
