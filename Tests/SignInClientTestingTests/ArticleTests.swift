import Foundation
import Testing

@Suite("Articles for app developers")
struct ArticleTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private func text(_ path: String) throws -> String {
    try String(contentsOf: Self.root.appendingPathComponent(path), encoding: .utf8)
  }

  private func blocks(of article: String) -> [String] {
    article.components(separatedBy: "```swift\n").dropFirst().map { rest in
      rest.components(separatedBy: "```")[0]
    }
  }

  /// The text without spaces, because the formatter may break a line elsewhere.
  private func unspaced(_ text: String) -> String { text.filter { !$0.isWhitespace } }

  @Test("The code of the article is the code that these tests compile")
  func code() throws {
    let article = try text("Sources/Client/SignInClient/SignInClient.docc/SigningIn.md")
    let compiled = unspaced(
      try text("Tests/SignInClientTestingTests/ArticleCode.swift"))

    let blocks = blocks(of: article)

    #expect(blocks.count == 7)
    for block in blocks {
      #expect(compiled.contains(unspaced(block)), "\(block)")
    }
  }

  @Test("Every function in the list of the library exists, with these labels")
  func links() throws {
    let list = try text("Sources/Client/SignInClient/SignInClient.docc/SignInClient.md")
    let folder = Self.root.appendingPathComponent("Sources/Client/SignInClient").path
    let source = try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".swift") }
      .map { try text("Sources/Client/SignInClient/" + $0) }.joined()
    let declared = Set(
      source.matches(of: /func (\w+)\(([^)]*)\)/).map { match in
        let labels = match.output.2.split(separator: ",").compactMap { parameter in
          parameter.split { $0.isWhitespace || $0 == ":" }.first.map { "\($0):" }
        }
        return "\(match.output.1)(\(labels.joined()))"
      })

    let links = list.matches(of: /\/(\w+\([^)]*\))``/).map { String($0.output.1) }
    #expect(links.contains("signIn(email:password:)"))
    #expect(links.filter { !$0.hasPrefix("init(") && !declared.contains($0) } == [])
  }

  @Test("The article's test of an app passes")
  func articleTest() async throws { try await ArticleCode().signsIn() }
}
