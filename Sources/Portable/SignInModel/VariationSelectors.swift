/// Variation selectors, which choose one of the forms of the character before them.
///
/// They are invisible, so that two names could look the same. They are allowed only after the
/// characters that have such forms: emoji, and the letters of Chinese and of Mongolian.
enum VariationSelectors {
  private static let mongolian: [ClosedRange<UInt32>] = [0x180B...0x180D, 0x180F...0x180F]
  private static let common: [ClosedRange<UInt32>] = [0xFE00...0xFE0F]
  private static let han: [ClosedRange<UInt32>] = [0xE0100...0xE01EF]

  private static let mongolianLetters: [ClosedRange<UInt32>] = [
    0x1800...0x180A, 0x1820...0x18AA, 0x11660...0x1166C,
  ]
  private static let hanLetters: [ClosedRange<UInt32>] = [
    0x2E80...0x2FDF, 0x3005...0x3007, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF,
    0x20000...0x3FFFD,
  ]

  static func isSelector(_ scalar: Unicode.Scalar) -> Bool {
    TypedText.isIn(mongolian, scalar) || TypedText.isIn(common, scalar)
      || TypedText.isIn(han, scalar)
  }

  /// Whether the character is no selector, or changes the one before it.
  static func isPlaced(_ scalar: Unicode.Scalar, after before: Unicode.Scalar?) -> Bool {
    guard isSelector(scalar) else { return true }
    guard let before else { return false }
    if TypedText.isIn(mongolian, scalar) { return TypedText.isIn(mongolianLetters, before) }
    if TypedText.isIn(hanLetters, before) { return true }
    return TypedText.isIn(common, scalar) && isEmoji(before)
  }

  static func areMisplaced(in text: String) -> Bool {
    var before: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      if !isPlaced(scalar, after: before) { return true }
      before = scalar
    }
    return false
  }

  /// Whether the character is a picture.
  ///
  /// Digits are not, although some have a form in a frame. The browser has no Unicode tables, so it
  /// takes the blocks of pictures, and leaves the rest to the server.
  private static func isEmoji(_ scalar: Unicode.Scalar) -> Bool {
    #if hasFeature(Embedded)
      return TypedText.isIn(pictures, scalar)
    #else
      return !scalar.isASCII && scalar.properties.isEmoji
    #endif
  }

  #if hasFeature(Embedded)
    private static let pictures: [ClosedRange<UInt32>] = [
      0xA9...0xA9, 0xAE...0xAE, 0x203C...0x203C, 0x2049...0x2049, 0x2122...0x2BFF,
      0x3030...0x303D, 0x3297...0x3299, 0x1F000...0x1FAFF,
    ]
  #endif
}
