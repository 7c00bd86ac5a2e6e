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

  @Test("The article's test of an app passes")
  func articleTest() async throws { try await ArticleCode().signsIn() }
}
