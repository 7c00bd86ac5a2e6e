/// An e-mail address in its only canonical form.
///
/// The local part has the characters of RFC 5321, section 4.1.2, or letters of one script, in lower
/// case and composed (NFC). The domain has ASCII characters, so `ü` is written as its `xn--` form
/// (RFC 5890). Limits, look-ups and comparisons use this form, so no other spelling avoids a
/// failure counter or names another account.
///
/// The browser and the systems of Apple have no Unicode tables here. They read an address of ASCII
/// characters completely, and leave the rest of another one to the server.
public struct EmailAddress: Hashable, Sendable {
  /// RFC 5321, section 4.5.3.1.3.
  public static let lengthLimit = 254
  /// The part before the `@`, in bytes (RFC 5321, section 4.5.3.1.1).
  static let localLimit = 64
  /// Each label of the domain, in bytes of its encoded form (RFC 1035, section 2.3.4).
  static let labelLimit = 63
  /// One character before the `@` and one after it.
  public static let leastLength = 3
  /// In bytes, with everything around the address.
  static let rawLimit = 4 * lengthLimit

  public let text: String

  /// Reads an address as people type, paste and copy it.
  ///
  /// Blanks of any kind around it, `<>` or `‹›` around it and one dot at its end mean nothing.
  public init(parsing raw: String) throws(Malformed) {
    guard let text = Self.canonical(raw) else { throw Malformed(.emailAddress) }
    self.text = text
  }

  /// Reads an address that was stored.
  ///
  /// `init(parsing:)` checked it before, so only its form is checked again.
  public init(stored text: String) throws(Malformed) {
    guard (Self.leastLength...Self.lengthLimit).contains(text.utf8.count),
      let (local, domain) = text.cut(at: "@"), !local.isEmpty, !domain.isEmpty,
      !domain.utf8.contains(UInt8(ascii: "@"))
    else { throw Malformed(.emailAddress) }
    self.text = text
  }

  /// Whether a text can only be an address, because it has an at sign of any width.
  public static func isMeant(by text: String) -> Bool {
    for scalar in text.unicodeScalars where narrow(scalar) == "@" { return true }
    return false
  }

  /// The part after the `@`.
  public var domain: String { text.cut(at: "@")?.after ?? "" }

  /// The canonical form of a domain, such as `example.com`; `nil` if it cannot be one.
  public static func domain(parsing raw: String) -> String? {
    guard raw.utf8.count <= rawLimit else { return nil }
    return domain(bare(raw))
  }

  private static func canonical(_ raw: String) -> String? {
    guard raw.utf8.count <= rawLimit else { return nil }
    let scalars = bare(raw)
    guard let at = scalars.firstIndex(of: "@"),
      let local = local(Array(scalars[..<at])), local.utf8.count <= localLimit,
      let domain = domain(Array(scalars[(at + 1)...]))
    else { return nil }
    let text = local + "@" + domain
    return text.utf8.count <= lengthLimit ? text : nil
  }

  /// The characters of the address itself, with ASCII letters in lower case.
  private static func bare(_ raw: String) -> [Unicode.Scalar] {
    var scalars: [Unicode.Scalar] = []
    for scalar in raw.unicodeScalars { scalars.append(narrow(scalar)) }
    trim(&scalars)
    if scalars.last == "." { scalars.removeLast() }
    let ends = (scalars.first?.value, scalars.last?.value)
    if ends == (0x3C, 0x3E) || ends == (0x2039, 0x203A) {
      scalars.removeFirst()
      scalars.removeLast()
      trim(&scalars)
      if scalars.last == "." { scalars.removeLast() }
    }
    return scalars
  }

  private static func trim(_ scalars: inout [Unicode.Scalar]) {
    while let last = scalars.last, TypedText.isSurrounding(last) { scalars.removeLast() }
    var start = 0
    while start < scalars.count, TypedText.isSurrounding(scalars[start]) { start += 1 }
    scalars.removeFirst(start)
  }

  /// The ASCII form of full-width characters and of the dots of IDNA, and the lower case of ASCII.
  private static func narrow(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    var value = scalar.value
    switch value {
    case 0xFF01...0xFF5E: value -= 0xFEE0
    case 0x3002, 0xFF61: value = 0x2E
    default: break
    }
    if (0x41...0x5A).contains(value) { value += 0x20 }
    return Unicode.Scalar(value) ?? scalar
  }

  /// Dot-string of RFC 5321: characters of `atext`, with single dots between them.
  private static func local(_ scalars: [Unicode.Scalar]) -> String? {
    joined(scalars) { (label) in
      for scalar in label where scalar.isASCII && !isAtext(UInt8(scalar.value)) { return nil }
      return hasOnlyASCII(label) ? text(label) : international(label)
    }
  }

  /// Two or more labels of letters, digits and hyphens, none of which begins or ends with a hyphen.
  ///
  /// A domain whose last label has only digits would be the address of a machine.
  private static func domain(_ scalars: [Unicode.Scalar]) -> String? {
    let labels = joined(scalars) { (label) in
      if label.first == "-" || label.last == "-" { return nil }
      for scalar in label
      where scalar.isASCII && scalar != "-" && !isLetterOrDigit(UInt8(scalar.value)) { return nil }
      guard let read = encodedLabel(label) else { return nil }
      // A label that is not encoded yet is measured by the server.
      return read.utf8.count <= labelLimit || !hasOnlyASCII(Array(read.unicodeScalars)) ? read : nil
    }
    guard let domain = labels, let dot = domain.utf8.lastIndex(of: UInt8(ascii: ".")) else {
      return nil
    }
    for byte in domain.utf8[dot...].dropFirst()
    where byte < UInt8(ascii: "0") || byte > UInt8(ascii: "9") { return domain }
    return nil
  }

  /// Reads each part between dots; `nil` if one is empty or refused.
  private static func joined(
    _ scalars: [Unicode.Scalar], _ read: ([Unicode.Scalar]) -> String?
  ) -> String? {
    var label: [Unicode.Scalar] = []
    var joined = ""
    for scalar in scalars + ["."] {
      guard scalar == "." else {
        label.append(scalar)
        continue
      }
      guard !label.isEmpty, let part = read(label) else { return nil }
      if !joined.isEmpty { joined += "." }
      joined += part
      label = []
    }
    return joined
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z")
      || byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }

  private static func isAtext(_ byte: UInt8) -> Bool {
    if isLetterOrDigit(byte) { return true }
    for other in "!#$%&'*+-/=?^_`{|}~".utf8 where other == byte { return true }
    return false
  }

  static func hasOnlyASCII(_ scalars: [Unicode.Scalar]) -> Bool {
    for scalar in scalars where !scalar.isASCII { return false }
    return true
  }

  static func text(_ scalars: [Unicode.Scalar]) -> String {
    var text = ""
    text.unicodeScalars.append(contentsOf: scalars)
    return text
  }
}

#if !os(Linux)
  extension EmailAddress {
    /// The label without changes.
    ///
    /// The server reads it completely.
    private static func international(_ label: [Unicode.Scalar]) -> String? {
      for scalar in label where scalar.value == 0x200C || scalar.value == 0x200D { return nil }
      let text = text(label)
      return TypedText.isDeceptive(text) ? nil : text
    }

    private static func encodedLabel(_ label: [Unicode.Scalar]) -> String? {
      hasOnlyASCII(label) ? text(label) : international(label)
    }
  }
#endif
