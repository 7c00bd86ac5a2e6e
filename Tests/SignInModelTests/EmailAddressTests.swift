import SignInModel
import Testing

@Suite("E-mail addresses")
struct EmailAddressTests {
  @Test(
    "L-54 what surrounds an address means nothing",
    arguments: [
      "\u{A0}tech@example.com", "tech@example.com\u{A0}", "tech@example.com\u{200B}",
      "\u{FEFF}tech@example.com", "\u{3000}tech@example.com\u{2003}", "tech@example.com\r\n",
      "\ttech@example.com", "\u{202A}tech@example.com\u{202C}", "\u{2060}tech@example.com\u{200F}",
      "<tech@example.com>", "‹tech@example.com›", " < Tech@Example.com > ", "tech@example.com.",
      "<tech@example.com>.", "<tech@example.com.>", "tech@example.com. ", "ｔｅｃｈ＠ｅｘａｍｐｌｅ．ｃｏｍ",
      "tech@example。com", "TECH＠EXAMPLE.COM",
    ])
  func surroundings(_ text: String) throws {
    #expect(try EmailAddress(parsing: text).text == "tech@example.com")
  }

  @Test(
    "L-54 an address has one canonical form",
    arguments: [
      ("info@MÜNCHEN.example", "info@xn--mnchen-3ya.example"),
      ("info@mu\u{308}nchen.example", "info@xn--mnchen-3ya.example"),
      ("info@XN--MNCHEN-3YA.example", "info@xn--mnchen-3ya.example"),
      ("info@xn--mnchen-3ya.example.", "info@xn--mnchen-3ya.example"),
      ("info@straße.example", "info@xn--strae-oqa.example"),
      ("info@例え.テスト", "info@xn--r8jz45g.xn--zckzah"),
      ("info@ПРАВДА.рф", "info@xn--80aafi6cg.xn--p1ai"),
      ("info@उदाहरण.परीक्षा", "info@xn--p1b6ci4b4b3a.xn--11b5bs3a9aj6g"),
      ("ÅSE@example.com", "åse@example.com"), ("A\u{30A}SE@example.com", "åse@example.com"),
      ("\u{212B}SE@example.com", "åse@example.com"), ("ИВАН@example.com", "иван@example.com"),
      ("José.García@example.com", "josé.garcía@example.com"),
      ("nguyễn.văn@example.com", "nguyễn.văn@example.com"),
      ("राम@example.com", "राम@example.com"), ("田中たろう@example.com", "田中たろう@example.com"),
      ("o'neil+tag_1@example.com", "o'neil+tag_1@example.com"), ("a@b.c", "a@b.c"),
      ("ΓΙΏΡΓΟΣ@example.com", "γιώργοσ@example.com"),
      ("γιώργος@example.com", "γιώργοσ@example.com"),
      ("info@ΓΙΏΡΓΟΣ.example", "info@xn--oxaarzio7e.example"), ("a@1.2.3.4c", "a@1.2.3.4c"),
      ("סוסן1א@example.com", "סוסן1א@example.com"),
    ])
  func canonical(_ text: String, _ form: String) throws {
    let address = try EmailAddress(parsing: text)

    #expect(address.text == form)
    #expect(Array(address.text.utf8) == Array(form.utf8))
    #expect(try EmailAddress(parsing: address.text) == address)
    #expect(try EmailAddress(stored: address.text) == address)
  }

  @Test(
    "L-54 look-alikes and characters outside the list are refused",
    arguments: [
      "m\u{435}ntor@example.com", "mentor@ex\u{430}mple.com", "ment\u{3BF}r@example.com",
      "\u{440}\u{430}\u{443}@example.com", "me\u{200D}ntor@example.com",
      "mentor@example.com\u{200D}", "me\u{200C}ntor@example.com", "me\u{2800}ntor@example.com",
      "mentor\u{2800}@example.com", "men\u{AD}tor@example.com", "men\u{34F}tor@example.com",
      "men\u{FE0F}tor@example.com", "men\u{2060}tor@example.com", "ment\u{251}r@example.com",
      "mentor\u{338}@example.com", "\u{301}mentor@example.com", "\u{1F600}@example.com",
      "mentor@\u{1F600}.example", "<mentor@example.com", "mentor@example.com>", "<<a@b.c>>",
      "Mentor <mentor@example.com>", "‹mentor@example.com>", "mailto:mentor@example.com",
      "a..b@example.com", ".a@example.com", "a.@example.com", "a@example..com", "a@example.com..",
      "a@-example.com", "a@example-.com", "a@exam_ple.com", "a@[127.0.0.1]", "\"a b\"@example.com",
      "a,b@example.com", "a@b.c,d@e.f", "a;b@example.com", "a(b)@example.com", "a@b@c",
      "a@b", "new-owner@example", "a@example.", "x@1.2.3.4", "x@example.12", "x@example.0",
      "սոց@example.com", "ყ@example.com", "\u{5E1}\u{5D5}\u{5E1}@example.com",
      "\u{665}@example.com", "\u{966}\u{966}@example.com", "\u{7C0}@example.com", "a@օ.com",
      "a@xn--a", "a@xn--", "a@xn--99999999999.com", "a@xn--mentr-jye.com", "a@xn--mnchen-3ya-.com",
    ])
  func refused(_ text: String) {
    #expect(throws: Malformed(.emailAddress)) { try EmailAddress(parsing: text) }
  }

  @Test("An encoded label has at most 63 bytes")
  func labelLimit() {
    for (count, isAccepted) in [(54, true), (55, true), (56, false), (57, false)] {
      let text = "a@" + String(repeating: "a", count: count) + "ü.example"
      #expect(((try? EmailAddress(parsing: text)) != nil) == isAccepted, "\(count)")
    }
  }

  @Test("L-54 a local part has at most 64 bytes and a label 63")
  func partLimits() {
    for (count, isAccepted) in [(63, true), (64, true), (65, false)] {
      let text = String(repeating: "a", count: count) + "@example.com"
      #expect(((try? EmailAddress(parsing: text)) != nil) == isAccepted, "\(count)")
      let domain = "a@" + String(repeating: "b", count: count - 1) + ".example"
      #expect(((try? EmailAddress(parsing: domain)) != nil) == isAccepted, "\(count)")
    }
    for (count, isAccepted) in [(31, true), (32, true), (33, false)] {
      let text = String(repeating: "é", count: count) + "@example.com"
      #expect(((try? EmailAddress(parsing: text)) != nil) == isAccepted, "\(count)")
    }
  }

  @Test("L-54 both forms of the Greek sigma are one letter, also in an encoded domain")
  func sigma() throws {
    let capital = try EmailAddress(parsing: "ΓΙΏΡΓΟΣ@ΓΙΏΡΓΟΣ.example")
    for (local, domain) in [
      ("γιώργος", "γιώργος"), ("γιώργοσ", "γιώργοσ"), ("Γιώργος", "xn--oxaarzii4f"),
    ] {
      #expect(try EmailAddress(parsing: "\(local)@\(domain).example") == capital)
    }
  }

  @Test("A domain of the configuration has the same form as the domain of an address")
  func domains() throws {
    #expect(EmailAddress.domain(parsing: "Example.COM") == "example.com")
    #expect(EmailAddress.domain(parsing: "münchen.example") == "xn--mnchen-3ya.example")
    #expect(EmailAddress.domain(parsing: "a@b") == nil)
    #expect(try EmailAddress(parsing: "a@MÜNCHEN.example").domain == "xn--mnchen-3ya.example")
  }

  @Test("Only the form of a stored address is checked again")
  func stored() throws {
    for text in ["a\"b@example.com", "a..b@example.com", "info@münchen.example", "<a@b.c>"] {
      #expect(try EmailAddress(stored: text).text == text)
    }
    for text in ["", "ab", "a@", "@b", "a@b@c"] {
      #expect(throws: Malformed(.emailAddress)) { try EmailAddress(stored: text) }
    }
  }
}
