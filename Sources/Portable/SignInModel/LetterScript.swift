#if os(Linux)
  /// A script whose letters an address can have.
  ///
  /// The standard library has no scripts, so the blocks of those that are written today are listed.
  /// Letters that only transcribe sounds, and forms of letters for compatibility, are left out.
  enum LetterScript: Hashable {
    case latin, greek, cyrillic, armenian, hebrew, arabic, syriac, thaana, nko, devanagari, bengali
    case gurmukhi, gujarati, oriya, tamil, telugu, kannada, malayalam, sinhala, thai, lao, tibetan
    case myanmar, georgian, ethiopic, khmer, mongolian, hiragana, katakana, kana, bopomofo, han
    case hangul

    /// Scripts that one word can mix.
    static let together: [Set<LetterScript>] = [
      [.han, .hiragana, .katakana, .kana], [.han, .bopomofo], [.han, .hangul],
    ]

    /// Scripts whose letters can have the marks of `isCommonMark`.
    static let withCommonMarks: Set<LetterScript> = [.latin, .greek, .cyrillic]

    /// Letters and digits that look like Latin letters.
    ///
    /// A word of only such letters could be mistaken for a Latin word.
    static let lookalikes = Set(
      [
        "асԁеһіјӏорԛѕԝхуъьҽпгѵѡαικνρυωηοτσ", "գզլհյոռսցւօքղ", "ყჿ",
        // Hebrew vav, samekh and final nun.
        "\u{5D5}\u{5E1}\u{5DF}",
        // Alef, one and five in Arabic and Persian; zero and one in N'Ko.
        "\u{627}\u{661}\u{665}\u{6F1}\u{6F5}\u{7C0}\u{7C1}\u{7CA}",
        // The zeros of India, Thailand, Laos, Tibet, Myanmar and Cambodia, and round letters.
        "\u{966}\u{9E6}\u{A66}\u{AE6}\u{B66}\u{BE6}\u{C66}\u{CE6}\u{D66}\u{E50}\u{ED0}",
        "\u{F20}\u{1040}\u{17E0}\u{1810}\u{B20}\u{D20}\u{101D}",
      ].joined(separator: "").unicodeScalars)

    /// Marks above and below letters, for letters that Unicode has not composed.
    static func isCommonMark(_ scalar: Unicode.Scalar) -> Bool {
      switch scalar.value {
      case 0x300...0x304, 0x306, 0x308...0x30C, 0x30F, 0x311, 0x323...0x328, 0x32D, 0x32E, 0x330,
        0x331:
        true
      default: false
      }
    }

    /// `nil` if an address cannot have the character.
    init?(of scalar: Unicode.Scalar) {
      for (range, script) in Self.blocks where range.contains(scalar.value) {
        self = script
        return
      }
      return nil
    }

    private static let blocks: [(ClosedRange<UInt32>, LetterScript)] = [
      (0x61...0x7A, .latin), (0xDF...0xF6, .latin), (0xF8...0x131, .latin),
      (0x134...0x13E, .latin), (0x141...0x148, .latin), (0x14A...0x17E, .latin),
      (0x180...0x1BF, .latin), (0x1CD...0x1F0, .latin), (0x1F4...0x24F, .latin),
      (0x1E00...0x1E99, .latin), (0x1E9F...0x1EFF, .latin),
      (0x390...0x390, .greek), (0x3AC...0x3CE, .greek), (0x1F00...0x1FBC, .greek),
      (0x1FC2...0x1FCC, .greek), (0x1FD0...0x1FDB, .greek), (0x1FE0...0x1FEC, .greek),
      (0x1FF2...0x1FFC, .greek),
      (0x430...0x45F, .cyrillic), (0x48B...0x52F, .cyrillic),
      (0x561...0x587, .armenian), (0x5B0...0x5BD, .hebrew), (0x5BF...0x5BF, .hebrew),
      (0x5C1...0x5C2, .hebrew), (0x5D0...0x5EA, .hebrew),
      (0x620...0x63A, .arabic), (0x641...0x669, .arabic), (0x66E...0x674, .arabic),
      (0x679...0x6D5, .arabic), (0x6EE...0x6FC, .arabic), (0x750...0x77F, .arabic),
      (0x710...0x74A, .syriac), (0x780...0x7B1, .thaana), (0x7C0...0x7F5, .nko),
      (0x900...0x963, .devanagari), (0x966...0x97F, .devanagari), (0x980...0x9FE, .bengali),
      (0xA01...0xA75, .gurmukhi), (0xA81...0xAFF, .gujarati), (0xB01...0xB77, .oriya),
      (0xB82...0xBEF, .tamil), (0xC00...0xC6F, .telugu), (0xC80...0xCF3, .kannada),
      (0xD00...0xD7F, .malayalam), (0xD81...0xDF3, .sinhala), (0xE01...0xE59, .thai),
      (0xE81...0xEDF, .lao), (0xF00...0xFBC, .tibetan), (0x1000...0x109D, .myanmar),
      (0x10D0...0x10FF, .georgian), (0x1200...0x135F, .ethiopic), (0x1780...0x17E9, .khmer),
      (0x1810...0x18AA, .mongolian),
      (0x3041...0x3096, .hiragana), (0x309D...0x309E, .hiragana), (0x30A1...0x30FA, .katakana),
      (0x30FD...0x30FE, .katakana), (0x30FC...0x30FC, .kana), (0x3105...0x312F, .bopomofo),
      (0x3005...0x3005, .han), (0x3007...0x3007, .han), (0x3400...0x4DBF, .han),
      (0x4E00...0x9FFF, .han), (0x20000...0x323AF, .han), (0xAC00...0xD7A3, .hangul),
    ]
  }
#endif
