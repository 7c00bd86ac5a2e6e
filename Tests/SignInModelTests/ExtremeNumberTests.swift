import SignInModel
import Testing

/// Numbers at the ends of ranges and just beyond them.
enum Extreme {
  static let numbers: [Int64] = [
    .min, .min + 1, -JSONSafe.most - 1, -JSONSafe.most, Int64(Int32.min) - 1, Int64(Int32.min), -1,
    0, 1, Int64(Int32.max), Int64(Int32.max) + 1, JSONSafe.most, JSONSafe.most + 1, .max - 1, .max,
  ]

  private enum JSONSafe { static let most: Int64 = 1 << 53 - 1 }
}

@Suite("Numbers from outside")
struct ExtremeNumberTests {
  @Test(
    "L-36 no arithmetic of moments traps, and each result is a moment", arguments: Extreme.numbers)
  func moments(number: Int64) {
    let all = Instant.earliest...Instant.latest
    let moments = [Instant(milliseconds: number), Instant(seconds: number)]
    for moment in moments {
      #expect(all.contains(moment))
      for other in Extreme.numbers {
        #expect(all.contains(moment.adding(seconds: other)))
        #expect(all.contains(moment.adding(milliseconds: other)))
        #expect(moment.wholeSeconds(until: Instant(milliseconds: other)) >= 0)
        #expect(moment.wholeSeconds(until: Instant(seconds: other)) >= 0)
      }
      let day = CalendarDay(moment)
      #expect(CalendarDay.years.contains(day.parts.year))
    }
  }

  @Test("L-36 a moment outside the range becomes the nearest possible one")
  func ends() {
    #expect(Instant(seconds: .max) == Instant.latest)
    #expect(Instant(seconds: .min) == Instant.earliest)
    #expect(Instant(milliseconds: 5).adding(seconds: .max) == Instant.latest)
    #expect(Instant(milliseconds: 5).adding(seconds: .min) == Instant.earliest)
    #expect(Instant(milliseconds: 5).adding(milliseconds: .max) == Instant.latest)
    #expect(Instant(milliseconds: 5).adding(seconds: 2) == Instant(milliseconds: 2005))
    #expect(CalendarDay(Instant.latest).text == "9999-12-31")
    #expect(CalendarDay(Instant.earliest).text == "0001-01-01")
  }

  @Test("L-36 every day is in the calendar", arguments: Extreme.numbers)
  func days(number: Int64) throws {
    for other in Extreme.numbers {
      let day = CalendarDay(number: number).adding(days: other)
      #expect((0...9999).contains(day.parts.year))
      #expect(day.text.utf8.count == 10)
      _ = WarrantyStatus(expiresOn: day, on: CalendarDay(number: number))
    }
  }

  @Test("L-36 sums and products are limited to the range", arguments: Extreme.numbers)
  func clamping(number: Int64) {
    for other in Extreme.numbers {
      let sum = number.plusClamping(other)
      let (exactSum, isBeyond) = number.addingReportingOverflow(other)
      #expect(isBeyond ? sum == (other < 0 ? .min : .max) : sum == exactSum)
      let product = number.timesClamping(other)
      let (exact, isGreat) = number.multipliedReportingOverflow(by: other)
      #expect(isGreat ? product == ((number < 0) == (other < 0) ? .max : .min) : product == exact)
      #expect((-7...7).contains(number.clamped(to: -7...7)))
    }
  }

  @Test("L-36 a text is the number it represents, or no number", arguments: Extreme.numbers)
  func texts(number: Int64) {
    #expect(WholeNumber.read("\(number)", in: .min ... .max) == number)
    #expect(WholeNumber.read("\(number)", in: 0...10) == ((0...10) ~= number ? number : nil))
    #expect(WholeNumber.read("00\(number.magnitude)0000", in: 0...10) == (number == 0 ? 0 : nil))
  }

  @Test(
    "L-36 a text that is not a whole number is no number",
    arguments: [
      "", "-", "--1", "+1", " 1", "1 ", "1.0", "1e400", "0x1", "١", "1-", "-1-",
      "9223372036854775808", "-9223372036854775809", String(repeating: "9", count: 60_000),
    ]
  )
  func noNumbers(text: String) {
    #expect(WholeNumber.read(text, in: .min ... .max) == nil)
  }

  @Test("Identifiers are equal only with the same bytes")
  func identifiers() {
    let (composed, decomposed) = (AccountID("\u{E5}"), AccountID("a\u{30A}"))

    #expect(composed != decomposed)
    #expect(Set([composed, decomposed, AccountID("\u{E5}")]).count == 2)
  }

  @Test("L-35 names in a request are looked up in linear time")
  func hostileIdentifiers() {
    let marks = AccountID(String(repeating: "\u{301}\u{323}", count: 16_000))
    let known = [AccountID("a"): 1]

    let took = ContinuousClock().measure { #expect(known[marks] == nil) }

    // As text these comparisons take seconds.
    #expect(took < .seconds(2))
  }

  @Test("L-35 an address of spaces is trimmed in linear time")
  func blanks() {
    let blanks = String(repeating: " ", count: 512 << 10)

    let took = ContinuousClock().measure {
      #expect(throws: Malformed.self) { try EmailAddress(parsing: blanks + "x") }
    }

    // Moving the bytes one by one takes tens of seconds.
    #expect(took < .seconds(4))
  }
}
