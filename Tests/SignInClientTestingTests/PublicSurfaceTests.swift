import Foundation
import Testing

/// The public API of the client's products.
@Suite("The public surface of the client")
struct PublicSurfaceTests {
  /// The limit for all products of an app together, without those for other platforms.
  static let symbolLimit = 190

  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private func sources(of target: String) throws -> [(name: String, text: String)] {
    let folder = Self.root.appendingPathComponent("Sources/Client/\(target)")
    return try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".swift") }
      .map { ($0, try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8)) }
  }

  /// The number of public declarations, cases of public enums and requirements of public protocols.
  static func symbols(in text: String) -> Int {
    var count = 0
    var memberIndent: Int?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let indent = line.prefix { $0 == " " }.count
      let words = line.split(separator: " ").map { String($0) }
      if let inside = memberIndent {
        if line.contains("}"), indent < inside { memberIndent = nil }
        if indent == inside, let first = words.first {
          if first == "case" {
            count += line.contains("(") ? 1 : line.filter { $0 == "," }.count + 1
          }
          if first == "func" || first == "var" { count += 1 }
        }
      }
      guard words.contains("public"), !words.contains("import") else { continue }
      count += 1
      if words.contains("enum") || words.contains("protocol") {
        // An enum on one line has its cases in the same line.
        if line.hasSuffix("}") {
          count += line.filter { $0 == "," }.count
        } else if line.hasSuffix("{") {
          memberIndent = indent + 2
        }
      }
    }
    return count
  }

  @Test("A declaration, a case and a requirement count as one symbol each")
  func counting() {
    #expect(Self.symbols(in: "public struct A {\n  public let b: Int\n  let c: Int\n}") == 2)
    #expect(Self.symbols(in: "public enum A {\n  case b, c\n  case d(e: Int, f: Int)\n}") == 4)
    #expect(Self.symbols(in: "public protocol A {\n  func b()\n}\nfunc c() {}") == 2)
    #expect(Self.symbols(in: "public import Foundation\npackage func b()") == 0)
  }

  @Test("An app sees fewer than 190 symbols")
  func count() throws {
    let targets = ["SignInClient", "SignInLinux", "SignInApple"]
    let counts = try targets.map { target in
      try sources(of: target).map { Self.symbols(in: $0.text) }.reduce(0, +)
    }

    #expect(counts[0] > 50, "the count is blind")
    #expect(counts.reduce(0, +) < Self.symbolLimit, "\(counts)")
  }

  /// The functions of a text, each as its name and labels: `changeName(to:)`.
  static func functions(in text: String) -> Set<String> {
    var found: Set<String> = []
    for part in text.components(separatedBy: "func ").dropFirst() {
      guard let start = part.firstIndex(of: "(") else { continue }
      var (depth, word, labels, isInLabel) = (0, "", "", false)
      scan: for character in part[start...] {
        switch character {
        case "(", "[":
          depth += 1
          isInLabel = depth == 1
        case ")", "]":
          depth -= 1
          if depth == 0 { break scan }
        case "," where depth == 1: isInLabel = true
        case " ", ":", "\n":
          guard isInLabel, !word.isEmpty else { break }
          labels += word + ":"
          (word, isInLabel) = ("", false)
        default: if isInLabel { word.append(character) }
        }
      }
      let name = part[..<start].prefix { $0 != "<" }
      found.insert("\(name)(\(labels))")
    }
    return found
  }

  @Test("A function is found with the labels of its parameters")
  func labels() {
    let text = "func a() {}\nfunc b<C>(\n  _ c: [C: Int], with d: (C, Int) -> C, e: C\n) {}"
    #expect(Self.functions(in: text) == ["a()", "b(_:with:e:)"])
  }

  @Test(
    "Each function that the pages of the client name exists",
    arguments: [
      "docs/swift-client.md", "Sources/Client/SignInClient/SignInClient.docc/SignInClient.md",
      "Sources/Client/SignInClient/SignInClient.docc/SigningIn.md",
    ])
  func pages(page: String) throws {
    let text = try String(contentsOf: Self.root.appendingPathComponent(page), encoding: .utf8)
    let named = text.matches(of: /`(?:SignInClient\/)*(\w+\((?:\w+:)*\))`/)
      .map { String($0.output.1) }.filter { !$0.hasPrefix("init(") }
    let code = try ["SignInClient", "SignInClientTesting"].flatMap { try sources(of: $0) }
    let functions = Self.functions(in: code.map { $0.text }.joined(separator: "\n"))

    #expect(!named.isEmpty)
    for name in named { #expect(functions.contains(name), "\(name)") }
  }

  @Test(
    "No module of the engine is in a public signature",
    arguments: ["SignInClient", "SignInLinux", "SignInApple", "SignInClientTesting"])
  func imports(target: String) throws {
    for (name, text) in try sources(of: target) {
      for module in ["SignInFlow", "SignInWire", "SignInModel", "JSONText"] {
        #expect(!text.contains("public import \(module)"), "\(name)")
      }
    }
  }
}
