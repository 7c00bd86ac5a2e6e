import Foundation
import Testing

/// One file of the repository and its text.
struct SourceFile: Sendable, CustomTestStringConvertible {
  /// The path from the root of the repository, such as `Sources/Portable/SignInModel/Secret.swift`.
  let path: String
  let text: String
  /// The text without comments and without the contents of strings, with the same lines.
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

  /// The name of the layer folder under `Sources`, or `nil` elsewhere.
  var layer: String? {
    let parts = path.split(separator: "/")
    return isSource && parts.count > 2 ? String(parts[1]) : nil
  }

  /// Whether a text contains a word.
  ///
  /// It searches the bytes, which is fast without optimization.
  static func holds(_ text: String, _ word: String) -> Bool {
    text.range(of: word, options: .literal) != nil
  }

  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Every file written by people: Swift, scripts and the shells of the apps.
  static let all: [SourceFile] = {
    do {
      return try ["Sources", "Benchmarks", "Tests", "Scripts", "Apps"].flatMap { try files(in: $0) }
    } catch {
      preconditionFailure("the sources cannot be read: \(error)")
    }
  }()

  /// Every document in Markdown.
  static let documents: [SourceFile] = {
    do {
      let top = try FileManager.default.contentsOfDirectory(
        atPath: root.path(percentEncoded: false)
      ).filter { $0.hasSuffix(".md") }
      return try ["docs", "Sources"].flatMap { try files(in: $0, named: ["md"]) }
        + top.sorted().map {
          SourceFile(
            path: $0, text: try String(contentsOf: root.appending(path: $0), encoding: .utf8))
        }
    } catch {
      preconditionFailure("the documents cannot be read: \(error)")
    }
  }()

  static let swift = all.filter(\.isSwift)
  static let sources = swift.filter(\.isSource)

  /// The layer of each of our modules.
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

  private static func files(
    in folder: String, named written: Set<String> = ["swift", "py", "js", "css", "html", "sh", ""]
  ) throws -> [SourceFile] {
    let start = root.appending(path: folder).path(percentEncoded: false)
    guard FileManager.default.fileExists(atPath: start) else { return [] }
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
