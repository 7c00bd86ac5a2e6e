import JSONText
import Testing

@Suite("JSON within limits")
struct JSONLimitTests {
  private func read(
    _ text: String, within limits: JSONLimits = .document
  ) -> Result<JSON, JSONMalformed> {
    do throws(JSONMalformed) {
      return .success(try JSONReader.read(Array(text.utf8), within: limits))
    } catch {
      return .failure(error)
    }
  }

  private func reason(_ text: String, within limits: JSONLimits) -> JSONMalformed.Reason? {
    if case .failure(let fault) = read(text, within: limits) { fault.reason } else { nil }
  }

  private func object(members count: Int) -> String {
    "{" + (0..<count).map { "\"m\($0)\":0" }.joined(separator: ",") + "}"
  }

  @Test(
    "L-35 an object has as many members as the limit and no more",
    arguments: [JSONLimits.document, .request, .token], [-1, 0, 1]
  )
  func members(limits: JSONLimits, beyond: Int) {
    let expected: JSONMalformed.Reason? = beyond > 0 ? .tooManyMembers : nil

    #expect(reason(object(members: limits.members + beyond), within: limits) == expected)
  }

  @Test(
    "L-35 a text has as many values as the limit and no more",
    arguments: [JSONLimits.document, .request, .token], [-1, 0, 1]
  )
  func values(limits: JSONLimits, beyond: Int) {
    // The array itself is a value too.
    let elements = String(repeating: "0,", count: limits.values + beyond - 2) + "0"
    let expected: JSONMalformed.Reason? = beyond > 0 ? .tooManyValues : nil

    #expect(reason("[\(elements)]", within: limits) == expected)
  }

  @Test(
    "L-35 values are nested as deep as the limit and no deeper",
    arguments: [JSONLimits.document, .request, .token], [-1, 0, 1]
  )
  func depth(limits: JSONLimits, beyond: Int) {
    let count = limits.depth + beyond
    let text = String(repeating: "[", count: count) + String(repeating: "]", count: count)

    #expect(reason(text, within: limits) == (beyond > 0 ? .tooDeep : nil))
  }

  @Test(
    "L-35 a run of combining marks is as long as the limit and no longer",
    arguments: [29, 30, 31]
  )
  func marks(count: Int) {
    let marked = "a" + String(repeating: "\u{301}", count: count)
    let expected: JSONMalformed.Reason? = count > 30 ? .tooManyMarks : nil

    #expect(reason("\"\(marked)\"", within: .request) == expected)
    #expect(reason("{\"\(marked)\":0}", within: .request) == expected)
    #expect(reason("\"\(marked)b\(marked)\"", within: .request) == expected)
    #expect(reason("\"\(marked)\"", within: .document) == nil)
  }

  @Test("Ordinary text has no long run of combining marks")
  func ordinaryText() {
    let texts = ["किंकर्तव्यविमूढ़", "Nguyễn Thị Ngọc Ánh", "Åse Ødegård", "שָׁלוֹם", "👩🏽‍🚒👨‍👩‍👧‍👦", "ก็ที่นี่"]

    for text in texts { #expect(reason("\"\(text)\"", within: .request) == nil) }
  }

  @Test("L-35 every kind of combining mark counts, in any notation")
  func kindsOfMarks() {
    for mark in ["\u{301}\u{323}", "\u{5B0}", "\u{94D}", "\u{F73}", "\u{1D165}", "\u{344}"] {
      let marks = String(repeating: mark, count: 31)
      #expect(reason("\"\(marks)\"", within: .request) == .tooManyMarks)
    }
    let escaped = String(repeating: "\\u0301", count: 31)
    #expect(reason("\"\(escaped)\"", within: .request) == .tooManyMarks)
  }

  @Test(
    "A repeated member is found at any position, and the reader reports where",
    arguments: [2, 7, 8, 9, 10, 100, 256]
  )
  func repeated(count: Int) {
    for first in [0, (count - 2) / 2, count - 2] {
      var names = (0..<count - 1).map { "m\($0)" }
      names.append(names[first])
      let text = "{" + names.map { "\"\($0)\":0" }.joined(separator: ",") + "}"

      // The position after the repeated name, which the last member has.
      let offset = text.utf8.count - ":0}".utf8.count
      #expect(read(text) == .failure(JSONMalformed(reason: .repeatedMember, offset: offset)))
    }
  }

  @Test(
    "Of several repeated members the first one is reported, in any notation",
    arguments: [[Int](), Array(0..<20)]
  )
  func spelling(filling: [Int]) {
    let others = filling.map { "\"m\($0)\":0," }.joined()
    let text = "{\"a\":1,\(others)\"\\u0061\":2,\"z\":0,\"z\":0}"

    let offset = "{\"a\":1,\(others)\"\\u0061\"".utf8.count
    #expect(read(text) == .failure(JSONMalformed(reason: .repeatedMember, offset: offset)))
  }

  @Test(
    "Names that are canonically equivalent and have other bytes are different members",
    arguments: [[Int](), Array(0..<20)]
  )
  func equivalentNames(filling: [Int]) throws {
    let (composed, decomposed) = ("\u{E5}", "a\u{30A}")
    let others = filling.map { "\"m\($0)\":0," }.joined()

    let json = try read("{\(others)\"\(composed)\":1,\"\(decomposed)\":2}").get()

    #expect(json[composed]?.number == 1)
    #expect(json[decomposed]?.number == 2)
    #expect(JSON.string(composed) != JSON.string(decomposed))
    #expect(JSONMember(composed, 1) != JSONMember(decomposed, 1))
    #expect(JSONMember(composed, 1) == JSONMember(composed, 1))
  }

  @Test("L-35 members with equal hashes are still different")
  func equalHashes() throws {
    // Two names with the same FNV-1a hash, as an attacker prepares them.
    let names = ["8yn0iYCKYHlIj4-BwPqk", "GReLUrM4wMqfg9yzV3KQ"]
    let others = (0..<20).map { "\"m\($0)\":0," }.joined()

    let json = try read("{\(others)\"\(names[0])\":1,\"\(names[1])\":2}").get()
    let repeated = read("{\(others)\"\(names[0])\":1,\"\(names[1])\":2,\"\(names[0])\":3}")

    #expect(json[names[0]]?.number == 1)
    #expect(json[names[1]]?.number == 2)
    #expect(throws: JSONMalformed.self) { try repeated.get() }
  }

  /// The body that first showed slow reading of hostile keys: it took seconds.
  @Test("L-35 a body of hostile names and texts is refused or read at once")
  func hostileBodies() {
    let marks = String(repeating: "\u{301}\u{323}", count: 15)
    let names = (0..<256).map { "\"\(marks)x\($0)\":0" }
    let bodies = [
      "{" + names.joined(separator: ",") + "}",
      "{\"" + String(repeating: "\u{301}\u{323}", count: 16_000) + "\":0}",
      object(members: 7000),
    ]
    let clock = ContinuousClock()

    for body in bodies {
      let took = clock.measure { _ = read(body, within: .request) }
      #expect(took < .seconds(2))
    }
  }

  @Test("L-36 whole numbers that some readers cannot represent exactly stay text")
  func wholeNumbers() throws {
    let most = JSON.safeIntegers.upperBound

    #expect(try read("\(most)").get() == .int(most))
    #expect(try read("-\(most)").get() == .int(-most))
    for text in ["\(most + 1)", "-\(most + 1)", "\(Int64.max)", "\(Int64.min)", "1e400"] {
      #expect(try read(text).get() == .decimal(text))
      #expect(try read(text).get().number == nil)
    }
    let digits = String(repeating: "9", count: 60_000)
    #expect(try read(digits).get() == .decimal(digits))
  }

  @Test(
    "L-54 a number without a fraction is whole in every spelling",
    arguments: [
      ("1800000000.0", 1_800_000_000), ("1.8e9", 1_800_000_000), ("18E+8", 1_800_000_000),
      ("18000000000e-1", 1_800_000_000), ("0.0018e12", 1_800_000_000), ("-1.50e1", -15),
      ("0.0", 0), ("0e400", 0), ("0.000e-9999999999999", 0), ("9007199254740991.000", 1 << 53 - 1),
      ("9.007199254740991e15", 1 << 53 - 1), ("-9007199254740991e0", -(1 << 53 - 1)),
    ] as [(String, Int64)])
  func spellings(_ text: String, _ number: Int64) throws {
    #expect(try read(text).get() == .int(number))
  }

  @Test(
    "L-54 a fraction, minus zero, and a number that is too great are not whole",
    arguments: [
      "1.5", "1.8e-9", "1800000000.5", "-0", "-0.0", "-0e9", "1e16", "1e400",
      "1e9999999999999999999",
      "0.1e-9999999999999", "9007199254740992.0", "9.007199254740992e15", "9007199254740990.5",
      "9007199254740991.0000001",
    ])
  func notWhole(_ text: String) throws {
    #expect(try read(text).get() == .decimal(text))
    #expect(try read(text).get().number == nil)
  }

  @Test("L-36 a number from outside is read with its range", arguments: [-1, 0, 1])
  func quantities(beyond: Int64) {
    let isInside = beyond <= 0

    #expect((JSON.int(JSON.latestUnixSeconds + beyond).unixSeconds != nil) == isInside)
    #expect((JSON.int(-beyond).unixSeconds != nil) == isInside)
    #expect((JSON.int(JSON.longestSeconds + beyond).seconds != nil) == isInside)
    #expect((JSON.int(JSON.highestCount + beyond).count != nil) == isInside)
    let latest = JSON.latestUnixSeconds * 1000
    #expect((JSON.int(latest + beyond).unixMilliseconds != nil) == isInside)
    #expect((JSON.int(-latest - beyond).unixMilliseconds != nil) == isInside)
    #expect((JSON.int(7 + beyond).number(in: 3...7) != nil) == isInside)
    #expect(JSON.decimal("1").count == nil)
    #expect(JSON.string("1").seconds == nil)
  }

  @Test(
    "L-54 a date of a JWT is read without the fraction of its second",
    arguments: [
      ("1795898856", 1_795_898_856), ("1795898856.5", 1_795_898_856), ("0.99", 0),
      ("1795898856.999999999999999", 1_795_898_856), ("1.7958988565e9", 1_795_898_856),
      ("1.7E+0", 1), ("253402300799.9", 253_402_300_799), ("253402300800.0", nil),
      ("1e300", nil), ("-0.5", nil), ("-1", nil), ("0.1e-99999", nil), ("1.5e99999999999", nil),
      ("\"1\"", nil), ("null", nil),
    ] as [(String, Int64?)])
  func numericDates(_ text: String, _ seconds: Int64?) throws {
    #expect(try read(text).get().numericDate == seconds)
  }
}
