import SignInModel
import Testing

@Suite("Parts of a text")
struct CutTextTests {
  @Test("A text is cut at the first mark, and text without the mark is not cut")
  func cutting() {
    for (text, before, after) in [
      ("a:b", "a", "b"), ("a:b:c", "a", "b:c"), (":", "", ""), (":b", "", "b"), ("é:न", "é", "न"),
    ] {
      let parts = text.cut(at: ":")
      #expect(parts?.before == before && parts?.after == after, "\(text)")
    }
    #expect("ab".cut(at: ":") == nil && "".cut(at: ":") == nil)
  }

  @Test("An optional value is present or not")
  func presence() {
    #expect(Int?.some(0).isPresent && !Int?.none.isPresent)
  }
}

@Suite("Values are valid by construction")
struct ValueTests {
  @Test(
    "L-09 spellings of one e-mail address are one value",
    arguments: ["tech@example.com", "Tech@Example.COM", "  TECH@example.com "]
  )
  func emailIsCanonical(_ text: String) throws {
    #expect(try EmailAddress(parsing: text).text == "tech@example.com")
  }

  @Test(
    "Malformed e-mail addresses are refused",
    arguments: [
      "", "tech", "@example.com", "tech@", "a@b@c", "te ch@example.com", "a\u{0}@b.c", "a@.b",
    ]
  )
  func emailMalformed(_ text: String) {
    #expect(throws: Malformed(.emailAddress)) { try EmailAddress(parsing: text) }
  }

  @Test(
    "An e-mail address has at most 254 bytes", arguments: [(253, true), (254, true), (255, false)])
  func emailLength(_ length: Int, _ isAccepted: Bool) {
    let label = String(repeating: "b", count: 63)
    let text =
      String(repeating: "a", count: 64) + "@\(label).\(label)."
      + String(repeating: "c", count: length - 193)

    #expect(((try? EmailAddress(parsing: text)) != nil) == isAccepted)
  }

  @Test(
    "L-09 spellings of one phone number are one value",
    arguments: ["+15550101234", "+1 555 010 1234", "+1 (555) 010-1234", "+1.555.010.1234"]
  )
  func phoneIsCanonical(_ text: String) throws {
    #expect(try PhoneNumber(parsing: text).e164 == "+15550101234")
  }

  @Test(
    "Malformed phone numbers are refused",
    arguments: [
      "", "15550101234", "+", "+05550101234", "+1555010x234", "++15550101234", "1+5550101234",
    ]
  )
  func phoneMalformed(_ text: String) {
    #expect(throws: Malformed(.phoneNumber)) { try PhoneNumber(parsing: text) }
  }

  @Test(
    "A phone number has 8 to 15 digits",
    arguments: [(7, false), (8, true), (9, true), (14, true), (15, true), (16, false)]
  )
  func phoneLength(_ digits: Int, _ isAccepted: Bool) {
    // No country has this calling code, so only the general limits apply.
    let text = "+" + String(repeating: "9", count: digits)

    #expect(((try? PhoneNumber(parsing: text)) != nil) == isAccepted)
  }

  @Test("T-10 a phone number is shown with its last four digits only")
  func phoneMasked() throws {
    #expect(try PhoneNumber(parsing: "+15550101234").masked == "***-***-1234")
  }

  @Test("Codes may be pasted with spaces", arguments: ["123456", "123 456", " 123 456 "])
  func codePasted(_ text: String) throws {
    #expect(try OneTimeCode(parsing: text).revealed == "123456")
  }

  @Test(
    "L-54 the digits of any script are a code, with blanks of any kind between them",
    arguments: [
      "１２３４５６", "१२३४५६", "١٢٣٤٥٦", "۱۲۳۴۵۶", "১২৩৪৫৬", "𝟏𝟐𝟑𝟒𝟓𝟔", "123\u{A0}456",
      "\u{200E}123 456\n", "１२३٤٥6",
    ])
  func codeOfAnyScript(_ text: String) throws {
    #expect(try OneTimeCode(parsing: text).revealed == "123456")
  }

  @Test(
    "L-54 separators and quotes around the digits of a code mean nothing",
    arguments: [
      "123-456", "123\u{2011}456", "123\u{AD}456", "123456.", "«123456»", "\"123 456\"", "‘123456’",
      "12-34-56", "(123) 456", "123.456", "123,456", "123·456", "1 2 3 4 5 6.", "123–456",
      "「123456」",
      "\u{61C}123456", "`123456`",
    ])
  func codeWithSeparators(_ text: String) throws {
    #expect(try OneTimeCode(parsing: text).revealed == "123456")
  }

  @Test(
    "L-13 text with anything but digits and separators is not a code",
    arguments: [
      "", "123", "１２３", "１２３４５６７８９", "12345a", "12345½", "12345²",
      "一二三四五六", "+123456", "123456789", "123\u{0}456", "🔑",
    ]
  )
  func codeMalformed(_ text: String) {
    #expect(throws: Malformed(.oneTimeCode)) { try OneTimeCode(parsing: text) }
  }

  @Test(
    "L-54 the digits of scripts that are new in Unicode are digits",
    arguments: [
      0x11F50, 0x1E4F0, 0x10D40, 0x116D0, 0x116DA, 0x11BF0, 0x16D70, 0x1CCF0, 0x1E5F1, 0x11DE0,
      0x30, 0x1FBF0,
    ] as [UInt32])
  func newDigits(_ zero: UInt32) throws {
    for value in 0..<10 {
      let scalar = try #require(Unicode.Scalar(zero + UInt32(value)))
      #expect(DecimalDigit.ascii(scalar) == UInt8(ascii: "0") + UInt8(value))
    }
    #expect(DecimalDigit.ascii("/") == nil && DecimalDigit.ascii("\u{10FFFF}") == nil)
  }

  @Test("Codes keep their leading zeros, and biased random draws are repeated")
  func codeDrawn() {
    #expect(OneTimeCode(digits: 6, random: [0, 0, 0, 0, 0, 0, 0, 7])?.revealed == "000007")
    #expect(OneTimeCode(digits: 6, random: [UInt8](repeating: 0xFF, count: 8)) == nil)
  }

  @Test("T-14 the description of a secret does not contain it")
  func secretsHide() throws {
    #expect("\(Secret("hunter2"))" == "‹secret›")
    #expect("\(try OneTimeCode(parsing: "123456"))" == "‹code›")
    #expect("\(["password": Secret("hunter2")])".contains("hunter2") == false)
  }

  @Test(
    "Identifiers from outside are short and without special characters",
    arguments: ["", "a/b", "a b", "é"])
  func identifierMalformed(_ text: String) {
    #expect(throws: Malformed(.identifier)) { try ClientID(parsing: text) }
  }

  @Test("An identifier has at most 64 bytes", arguments: [(63, true), (64, true), (65, false)])
  func identifierLength(_ length: Int, _ isAccepted: Bool) {
    let text = String(repeating: "a", count: length)

    #expect(((try? ClientID(parsing: text)) != nil) == isAccepted)
  }
}

@Suite("Instants and their wire forms")
struct InstantTests {
  @Test("Remaining seconds are rounded up, so that waiting that long is enough")
  func roundedUp() {
    let now = Instant(milliseconds: 1_000_500)

    #expect(now.wholeSeconds(until: Instant(seconds: 1001)) == 1)
    #expect(now.wholeSeconds(until: now) == 0)
    #expect(now.wholeSeconds(until: Instant(seconds: 900)) == 0)
    #expect(now.seconds == 1000)
    #expect(Instant(milliseconds: -1).seconds == -1)
  }
}

@Suite("base64url")
struct Base64URLTests {
  @Test(
    "RFC 4648, section 10, in the URL-safe alphabet",
    arguments: [
      ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"),
      ("fooba", "Zm9vYmE"), ("foobar", "Zm9vYmFy"),
    ]
  )
  func vectors(_ plain: String, _ encoded: String) throws {
    #expect(Base64URL.encode(Array(plain.utf8)) == encoded)
    #expect(try Base64URL.decode(encoded) == Array(plain.utf8))
  }

  @Test(
    "One value has only one text form", arguments: ["Zg==", "Zh", "Z", "Zm9v+", "Zm 9v", "Zm9v\n"])
  func strict(_ text: String) {
    #expect(throws: Malformed(.base64URL)) { try Base64URL.decode(text) }
  }

  @Test("Every byte can be written and read")
  func roundTrip() throws {
    for length in 0..<70 {
      let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ length) }
      #expect(try Base64URL.decode(Base64URL.encode(bytes)) == bytes)
    }
  }

  @Test(
    "Each byte at each place of a text is a letter of the alphabet or refused", arguments: 0..<7)
  func everyByte(_ place: Int) throws {
    let letters = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    for byte in UInt8.min...UInt8.max {
      var text = [UInt8](repeating: UInt8(ascii: "A"), count: 7)
      text[place] = byte
      // The last of three letters has two unused bits, which are zero in every fourth letter.
      let isUnused = place == 6 && !Set("AEIMQUYcgkosw048".utf8).contains(byte)
      if letters.contains(byte), !isUnused {
        let read = try Base64URL.decode(text[...])
        #expect(Array(Base64URL.encode(read).utf8) == text)
      } else {
        #expect(throws: Malformed(.base64URL)) { try Base64URL.decode(text[...]) }
      }
    }
  }

  @Test("A part of a longer text is decoded by itself")
  func part() throws {
    let text = Array("header.Zm9vYg.more".utf8)

    #expect(try Base64URL.decode(text[7..<13]) == Array("foob".utf8))
    #expect(try Base64URL.decode(text[7..<7]) == [])
    #expect(throws: Malformed(.base64URL)) { try Base64URL.decode(text[7..<14]) }
  }
}
