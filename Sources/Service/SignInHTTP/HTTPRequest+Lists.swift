import HTTPServer

extension HTTPRequest {
  /// The elements of a comma-separated list, which can have several fields (RFC 9110, sections 5.3
  /// and 5.6.1).
  ///
  /// The blanks around an element and empty elements are left out.
  func elements(of name: StaticString) -> [String] {
    var elements: [String] = []
    for value in values(of: name) {
      for part in Array(value.utf8).split(separator: UInt8(ascii: ",")) {
        let words = part.split(whereSeparator: Self.isBlank)
        guard let first = words.first, let last = words.last else { continue }
        elements.append(String(decoding: part[first.startIndex..<last.endIndex], as: UTF8.self))
      }
    }
    return elements
  }

  /// The tags of `If-None-Match`, prepared for weak comparison (RFC 9110, section 13.1.2).
  var entityTags: [String] {
    elements(of: "if-none-match").map { $0.hasPrefix("W/") ? $0 : "W/" + $0 }
  }

  /// Whether the sender accepts a content coding (RFC 9110, section 12.5.3), whose name is given in
  /// lower case.
  func accepts(coding name: String) -> Bool {
    elements(of: "accept-encoding").contains { element in
      let words = Array(element.lowercased().utf8).split { byte in
        byte == UInt8(ascii: ";") || Self.isBlank(byte)
      }
      guard let first = words.first, first.elementsEqual(name.utf8) else { return false }
      return !words.dropFirst().contains(where: Self.isZeroWeight)
    }
  }

  /// Whether the parameter of a coding refuses it: `q=0`, with up to three more zeros.
  private static func isZeroWeight(_ parameter: ArraySlice<UInt8>) -> Bool {
    guard parameter.starts(with: "q=0".utf8) else { return false }
    return parameter.dropFirst(2).allSatisfy { $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: ".") }
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }
}
