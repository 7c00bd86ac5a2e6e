import Foundation
import Testing

/// One file of the repository and its text.
struct SourceFile: Sendable, CustomTestStringConvertible {
  /// From the root of the repository, such as `Sources/Portable/SignInModel/Secret.swift`.
  let path: String
  let text: String
  /// The text without comments and without the insides of strings, line for line.
  let code: String
  let lines: [Substring]
  let codeLines: [Substring]

  init(path: String, text: String) {
    self.path = path
    self.text = text
    code = path.hasSuffix(".swift") ? SwiftText.code(of: text) : text
    lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    codeLines = code.split(separator: "\n", omittingEmptySubsequences: false)
  }

  var testDescription: String { path }
  var isSwift: Bool { path.hasSuffix(".swift") }
  var isSource: Bool { path.hasPrefix("Sources/") }

  /// The folder under `Sources` it stands in, or nil elsewhere.
  var layer: String? {
    let parts = path.split(separator: "/")
    return isSource && parts.count > 2 ? String(parts[1]) : nil
  }

  /// Whether a text holds a word: a search through the bytes, which is fast without optimization.
  static func holds(_ text: String, _ word: String) -> Bool {
    text.range(of: word, options: .literal) != nil
  }

  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Every file that people write: Swift, scripts and the shells of the apps.
  static let all: [SourceFile] = {
    do {
      return try ["Sources", "Tests", "Scripts", "Apps"].flatMap(files)
    } catch {
      preconditionFailure("the sources cannot be read: \(error)")
    }
  }()

  static let swift = all.filter(\.isSwift)
  static let sources = swift.filter(\.isSource)

  /// Which layer each of our modules belongs to.
  static let layerOfModule: [String: String] = {
    var layers: [String: String] = [:]
    for layer in HouseRule.layers.keys {
      let folder = root.appending(path: "Sources/\(layer)").path(percentEncoded: false)
      for module in FileManager.default.subpaths(atPath: folder) ?? [] where !module.contains("/") {
        layers[module] = layer
      }
    }
    return layers
  }()

  private static func files(in folder: String) throws -> [SourceFile] {
    let start = root.appending(path: folder).path(percentEncoded: false)
    guard FileManager.default.fileExists(atPath: start) else { return [] }
    let written: Set = ["swift", "py", "js", "css", "html", "sh", ""]
    return try FileManager.default.subpathsOfDirectory(atPath: start).sorted().compactMap { path in
      let file = root.appending(path: "\(folder)/\(path)")
      guard written.contains(file.pathExtension), !path.contains("__pycache__"),
        try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true
      else { return nil }
      return SourceFile(
        path: "\(folder)/\(path)", text: try String(contentsOf: file, encoding: .utf8))
    }
  }
}
