import SignInModel
import Testing

@Suite("Days, warranties and lines of text")
struct WarrantyTests {
  @Test(
    "O-02 a date is read and written as one day",
    arguments: [
      ("1970-01-01", 0), ("1969-12-31", -1), ("2000-02-29", 11_016), ("2026-11-21", 20_778),
      ("2100-03-01", 47_541), ("9999-12-31", 2_932_896), ("0001-01-01", -719_162),
    ])
  func days(_ text: String, _ number: Int64) throws {
    let day = try CalendarDay(parsing: text)

    #expect(day.number == number)
    #expect(CalendarDay(number: number).text == text)
  }

  @Test("O-02 every day in four hundred years follows the day before it")
  func everyDay() throws {
    for number in Int64(0)..<146_097 {
      let day = CalendarDay(number: number)
      guard try CalendarDay(parsing: day.text) == day else {
        Issue.record("\(day.text) is not the day it is written as")
        return
      }
    }
  }

  @Test(
    "O-02 text that is not a date is refused",
    arguments: [
      "", "2026-11-2", "2026-1-21", "20261121", "2026-13-01", "2026-00-10", "2026-02-29",
      "1900-02-29", "2026-04-31", "0000-01-01", "2026-11-21T00:00", "２026-11-21", "2026/11/21",
      "-026-11-21", "2026-11-0a",
    ])
  func wrongDates(_ text: String) {
    #expect(throws: Malformed(.calendarDay)) { try CalendarDay(parsing: text) }
  }

  @Test("O-02 a moment belongs to its day in UTC, before 1970 too")
  func moments() {
    #expect(CalendarDay(Instant(seconds: 86_399)).number == 0)
    #expect(CalendarDay(Instant(seconds: 86_400)).number == 1)
    #expect(CalendarDay(Instant(seconds: -1)).number == -1)
    #expect(CalendarDay(Instant(seconds: -86_400)).number == -1)
    #expect(CalendarDay(Instant(seconds: -86_401)).number == -2)
  }

  @Test(
    "O-02 a warranty expires after its last day and is about to expire for thirty days before",
    arguments: [
      (-1, WarrantyStatus.expired), (0, .expiring), (1, .expiring), (29, .expiring),
      (30, .expiring), (31, .active), (9999, .active),
    ] as [(Int64, WarrantyStatus)])
  func status(_ days: Int64, _ expected: WarrantyStatus) {
    let today = CalendarDay(number: 20_000)

    #expect(WarrantyStatus(expiresOn: today.adding(days: days), on: today) == expected)
    #expect(WarrantyStatus(expiresOn: nil, on: today) == .active)
  }

  @Test("A line has 1 to 200 characters and cannot forge another", arguments: [199, 200, 201])
  func line(_ count: Int) {
    let text = String(repeating: "ß", count: count)
    let line = try? TextLine(parsing: " " + text + "  ")

    #expect(line?.text == (count <= TextLine.lengthLimit ? text : nil))
    for wrong in ["", "   ", "a\nb", "a\u{202E}b", "a\u{0}"] {
      #expect(throws: Malformed(.line)) { try TextLine(parsing: wrong) }
    }
  }

  @Test(
    "O-03 a description has 1 to 2,000 characters and may have several lines",
    arguments: [1999, 2000, 2001])
  func description(_ count: Int) {
    let text = String(repeating: "é", count: count)
    let description = try? ServiceDescription(parsing: text)

    #expect(description?.text == (count <= ServiceDescription.lengthLimit ? text : nil))
    #expect(
      (try? ServiceDescription(parsing: "It hums.\n\tLoudly."))?.text == "It hums.\n\tLoudly.")
    #expect(
      (try? ServiceDescription(parsing: "It hums.\r\n\r\nLoudly.\r\n"))?.text
        == "It hums.\n\nLoudly.")
    for wrong in ["", " ", "\n\t \n", "a\u{7}", "a\u{202E}b", "\u{2066}a", "\u{200F}"] {
      #expect(throws: Malformed(.description)) { try ServiceDescription(parsing: wrong) }
    }
  }

  @Test(
    "L-54 every line end of a text of several lines is a line feed",
    arguments: [
      ("a\rb", "a\nb"), ("a\r\nb", "a\nb"), ("a\r\r\nb", "a\n\nb"), ("a\n\nb", "a\n\nb"),
      ("a\u{2028}b\u{2029}c", "a\nb\nc"), ("a\u{85}b\u{B}c", "a\nb\nc"),
      ("\u{FEFF}a\n\tb", "a\n\tb"), ("a\u{200E}b\u{200F}c\u{61C}d", "a\u{200E}b\u{200F}c\u{61C}d"),
    ])
  func lineEnds(_ text: String, _ expected: String) throws {
    // The bytes are compared, because CR LF is one character of a text.
    #expect(Array(TypedText.withLineFeeds(text).utf8) == Array(expected.utf8))
    #expect(Array(try ServiceDescription(parsing: text).text.utf8) == Array(expected.utf8))
  }

  @Test(
    "O-02 for the server a day has ended when it has ended everywhere",
    arguments: [(0, -1), (11, -1), (12, 0), (23, 0)])
  func earliest(_ hour: Int64, _ days: Int64) {
    let day = CalendarDay(number: 20_000)
    let moment = Instant(seconds: day.number * CalendarDay.daySeconds + hour * 3600)
    #expect(CalendarDay.earliest(at: moment) == day.adding(days: days))
  }

  @Test(
    "L-54 a search finds words without their marks, in any order",
    arguments: [
      ("José", "jose"), ("Bjørnstad", "BJORNSTAD"), ("Nora Eide", "eide  nora"),
      ("Nguyễn", "nguyen"), ("Nora Eide", "nora\u{2003}\u{200B}eide"), ("SN-12 34", "sn 1234"),
      ("İpek", "ipek"), ("Șerban Țuțu", "serban tutu"), ("Nguyễn Thị Mơ", "nguyen thi mo"),
      ("Trương Hữu Phước", "truong huu phuoc"), ("ƠƯ", "ou"), ("Ἀθηνᾶ Ὦμος", "αθηνα ωμος"),
      ("ҚАЗАҚ Ӯлжан Ԥӏ", "қазақ улжан ԥӀ"), ("Йод", "и\u{306}од"), ("ԱՐԱՄ", "արամ"),
      ("O’Neil", "o'neil"), ("O’Neil", "oneil"), ("O'Neil", "Oʼneil"), ("D‘Arcy", "darcy"),
      ("SN १२३४", "sn 1234"), ("SN1234", "sn ١٢٣٤"), ("SN/12.34_5", "sn12345"),
      ("SN12345", "SN/12.34_5"), ("Ǽ ǅ Ə", "æ dz ə"), ("Straße\u{61C}", "STRASSE"),
    ])
  func search(_ text: String, _ typed: String) {
    let searched = FoldedText.searched([text], number: text)
    #expect(SearchWords(typed).match(searched))
    #expect(!SearchWords(typed + " x").match(searched))
  }
}
