import Foundation
import JSONText
import SignInWire
import Testing

@testable import SignInService

@Suite("The table of policy values in docs/administration.md")
struct PolicyPageTests {
  @Test("T-16 the table in the administration guide has the rows of the policy table")
  func table() throws {
    let file = ConfigurationTests.repository.appending(path: "docs/administration.md")
    let page = try String(contentsOf: file, encoding: .utf8)
    let start = "<!-- policy values -->\n"
    let parts = page.components(separatedBy: start)
    let tail = try #require(parts.last?.components(separatedBy: "<!-- end -->"))
    try #require(parts.count == 2 && tail.count == 2)

    let fresh = parts[0] + start + Self.table + "<!-- end -->" + tail[1]

    if fresh != page {
      let copy = ConfigurationTests.repository.appending(path: ".build/administration.md")
      try fresh.write(to: copy, atomically: true, encoding: .utf8)
    }
    #expect(
      fresh == page, "the table is stale; run: cp .build/administration.md docs/administration.md")
  }

  private static let table =
    """
    | Key | Default | Allowed | An organization may | Meaning |
    | --- | --- | --- | --- | --- |

    """
    + PolicyKey.inConfigurationOrder.map { key in
      let field = key.field
      return "| `\(key.rawValue)` | \(field.words(field.standard)) | \(field.allowed)"
        + " | \(field.organizationMay) | \(key.help) |\n"
    }.joined()
}

extension PolicyField {
  fileprivate func words(_ json: JSON) -> String {
    switch json {
    case .int(let number): "\(number)" + unitWord
    case .string(let word): "`\(word)`"
    case .null, .bool, .decimal, .array, .object: ""
    }
  }

  private var unitWord: String {
    switch unit {
    case .count: ""
    case .seconds: " s"
    case .millionths: " millionths"
    case .percent: " %"
    }
  }

  fileprivate var allowed: String {
    switch form {
    case .number(let range): "\(range.lowerBound) to \(range.upperBound)\(unitWord)"
    case .choice(let words): words.map { "`\($0)`" }.joined(separator: ", ")
    case .callingCodes: "calling codes"
    case .message: "a text with `{code}`"
    }
  }

  fileprivate var organizationMay: String {
    switch (organization, form, stricter) {
    case (.anyValue, _, _): "change it"
    case (.noValue, _, _): ""
    case (.secondList, _, _): "allow fewer"
    case (.stricterValue, .choice, .less): "choose an earlier word"
    case (.stricterValue, .choice, _): "choose a later word"
    case (.stricterValue, _, .less): "lower it"
    case (.stricterValue, _, _): "raise it"
    }
  }
}
