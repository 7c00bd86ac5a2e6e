import JSONText
import Testing

@Suite("Text of bytes")
struct WellFormedTextTests {
  @Test(
    "UTF-8 becomes the same text, even with a replacement character in it",
    arguments: ["", "a", "å", "क़", "日本", "😀", "\u{0}", "\u{FFFD}", "a\u{301}", "\u{10FFFF}"])
  func wellFormed(text: String) throws {
    let read = try #require(String(wellFormed: Array(text.utf8)[...]))

    #expect(Array(read.utf8) == Array(text.utf8))
  }

  @Test(
    "Bytes that are not UTF-8 are not text",
    arguments: [
      [0xFF], [0x80], [0xC3], [0xC3, 0x28], [0xE2, 0x82], [0xF0, 0x9F, 0x98],
      // An overlong form, half of a surrogate pair, and a value above the last code point.
      [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
      [0x61, 0xEF, 0xBF], [0xEF, 0xBF, 0xBD, 0xFF],
    ] as [[UInt8]])
  func malformed(bytes: [UInt8]) {
    #expect(String(wellFormed: bytes[...]) == nil)
  }
}
