#if os(Linux)
  @_spi(_Unicode) import Swift

  /// Labels with letters beyond ASCII.
  ///
  /// A label has letters of one script (RFC 8264, section 5, and UTS 39, section 5.2), so that no
  /// letter can stand for one that looks the same in another script.
  extension EmailAddress {
    /// RFC 5890, section 2.3.2.1.
    static let encodedPrefix = "xn--"

    /// The label in lower case and composed; `nil` if a character is not allowed.
    static func international(_ label: [Unicode.Scalar]) -> String? {
      folded(label).map(text)
    }

    /// The ASCII form of a label of a domain.
    ///
    /// An encoded label must have the only form that its characters can have. Both forms of the
    /// Greek sigma are one letter.
    static func encodedLabel(_ label: [Unicode.Scalar]) -> String? {
      guard hasOnlyASCII(label) else {
        guard let folded = folded(label), let encoded = Punycode.encode(folded),
          encoded.count + encodedPrefix.utf8.count <= labelLimit
        else { return nil }
        return encodedPrefix + String(decoding: encoded, as: UTF8.self)
      }
      let text = text(label)
      guard text.hasPrefix(encodedPrefix) else { return text }
      let encoded = Array(text.utf8.dropFirst(encodedPrefix.utf8.count))
      guard text.utf8.count <= labelLimit, let decoded = Punycode.decode(encoded),
        !hasOnlyASCII(decoded), Punycode.encode(decoded) == encoded, let lowered = folded(decoded),
        lowered == decoded.map(withoutFinalForm)
      else { return nil }
      return lowered == decoded ? text : encodedLabel(lowered)
    }

    /// The sigma inside a word for the sigma at its end.
    ///
    /// The capital letter is the same, so an address in capitals does not show which one is meant.
    private static func withoutFinalForm(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
      scalar == "\u{3C2}" ? "\u{3C3}" : scalar
    }

    private static func folded(_ label: [Unicode.Scalar]) -> [Unicode.Scalar]? {
      var lowered = String.UnicodeScalarView()
      for scalar in composed(label) {
        lowered.append(contentsOf: scalar.properties.lowercaseMapping.unicodeScalars)
      }
      let folded = composed(lowered).map(withoutFinalForm)
      return ScriptOfLabel.isAllowed(folded) ? folded : nil
    }

    private static func composed(_ scalars: some Sequence<Unicode.Scalar>) -> [Unicode.Scalar] {
      var text = String.UnicodeScalarView()
      for scalar in scalars { text.append(scalar) }
      return Array(String(text)._nfc)
    }
  }

  /// Whether the letters of a label belong together.
  private enum ScriptOfLabel {
    static func isAllowed(_ label: [Unicode.Scalar]) -> Bool {
      var found: Set<LetterScript> = []
      var last: LetterScript?
      var areAllLookalikes = true
      for (index, scalar) in label.enumerated() {
        if scalar.isASCII, !scalar.properties.isAlphabetic {
          last = nil
          continue
        }
        if LetterScript.isCommonMark(scalar) {
          guard let script = last, LetterScript.withCommonMarks.contains(script) else {
            return false
          }
          continue
        }
        guard let script = LetterScript(of: scalar), isLetterOrDigit(scalar),
          !(isMark(scalar) && (index == 0 || last != script))
        else { return false }
        found.insert(script)
        last = script
        if !LetterScript.lookalikes.contains(scalar) { areAllLookalikes = false }
      }
      let isOneScript =
        found.count <= 1 || LetterScript.together.contains { found.isSubset(of: $0) }
      let isLatin = found.isSubset(of: [.latin])
      return isOneScript && (isLatin || !areAllLookalikes)
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .spacingMark: true
      default: false
      }
    }

    private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
      switch scalar.properties.generalCategory {
      case .lowercaseLetter, .otherLetter, .modifierLetter, .decimalNumber: true
      default: isMark(scalar)
      }
    }
  }
#endif
