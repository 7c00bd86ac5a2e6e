/// The bytes of one stored text: a version, the installation that wrote it, and the text.
package struct InstalledText: Equatable, Sendable {
  private static let version = "1"

  package let install: String
  package let text: String

  package init(install: String, text: String) {
    self.install = install
    self.text = text
  }

  /// Returns `nil` for bytes that a later version or another program wrote.
  package init?(_ bytes: [UInt8]) {
    let parts = bytes.split(separator: 10, maxSplits: 2, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard parts.count == 3, parts[0] == Self.version, !parts[1].isEmpty else { return nil }
    self.init(install: parts[1], text: parts[2])
  }

  /// Whether the first line is the number of another version.
  package static func isOfLaterVersion(_ bytes: [UInt8]) -> Bool {
    let line = bytes.prefix { $0 != 10 }
    let isNumber = line.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return !line.isEmpty && line.count < bytes.count && isNumber
      && String(decoding: line, as: UTF8.self) != version
  }

  package var bytes: [UInt8] { Array("\(Self.version)\n\(install)\n\(text)".utf8) }
}
