import Testing

/// A rule that finds nothing may be blind: each must find a fault that was planted for it.
@Suite("House rules find planted faults")
struct HouseRuleTests {
  static let modules = [
    "SignInModel": "Portable", "Cryptography": "Platform", "SignInService": "Service",
    "SQLiteStore": "Adapters", "SignInTesting": "Testing",
  ]

  func file(_ text: String, in folder: String = "Sources/Service/SignInService") -> SourceFile {
    SourceFile(path: "\(folder)/Planted.swift", text: text)
  }

  @Test("A file may have 500 lines and not one more", arguments: [499, 500, 501])
  func fileLength(count: Int) {
    let text = String(repeating: "// line\n", count: count)

    #expect(HouseRule.lengths(file(text)).isEmpty == (count <= 500))
  }

  @Test("A line may have 100 columns and not one more", arguments: [99, 100, 101])
  func lineLength(count: Int) {
    #expect(
      HouseRule.lengths(file(String(repeating: "a", count: count))).isEmpty == (count <= 100)
    )
  }

  @Test(
    "A function may have 60 lines and not one more",
    arguments: [
      "func long(\n  a: Int = [1].count\n) -> Int\n", "init(a: Int) ", "var long: Int ",
      "func long() async\n  throws ", "deinit ", "static let long: Int = ",
    ], [59, 60, 61]
  )
  func functionLength(head: String, count: Int) {
    let headLines = head.count { $0 == "\n" }
    let body = String(repeating: "  work() // }\n", count: count - 2 - headLines)
    let text = "struct Planted {\n\(head){\n\(body)}\n}\n"

    #expect(HouseRule.lengths(file(text)).isEmpty == (count <= 60))
  }

  @Test(
    "A table of words is not long, a switch with code is",
    arguments: [
      (" \"a\"", true), ("\n      \"a\"\n        + \"b\"", true), (" work()", false),
      ("\n      work()", false), ("\n      \"a\".b()", false),
    ])
  func tableOfWords(value: String, isTable: Bool) {
    let rows = (0..<80).map { "    case .c\($0):\(value)\n" }.joined()
    let text = "var words: String {\n  switch self {\n\(rows)  }\n}\n"

    #expect(HouseRule.lengths(file(text)).isEmpty == isTable)
  }

  @Test("A requirement without a body is not taken for a function with one")
  func protocolRequirement() {
    let body = String(repeating: "  func a() -> Int\n  var b: Int\n", count: 40)
    let text = "protocol Planted {\n\(body)}\nstruct Next {\n\(body)}\n"

    #expect(HouseRule.lengths(file(text)) == [])
  }

  @Test(
    "An import across the layers is found",
    arguments: [
      ("Portable/SignInRules", "import Foundation", false),
      ("Portable/SignInRules", "internal import Glibc", false),
      ("Portable/SignInRules", "public import SignInModel", true),
      ("Portable/SignInRules", "import Cryptography", false),
      ("Platform/Cryptography", "import SignInModel", false),
      ("Platform/Cryptography", "internal import Foundation", true),
      ("Service/SignInService", "import struct SQLiteStore.Row", false),
      ("Service/SignInService", "public import Cryptography", true),
      ("Adapters/SQLiteStore", "@testable import SignInTesting", false),
      ("Adapters/SQLiteStore", "import SignInService", true),
      ("Programs/fieldpass", "import SignInTesting", false),
      ("Programs/fieldpass", "import SQLiteStore", true),
      ("Testing/SignInTesting", "import SQLiteStore", false),
      ("Testing/SignInTesting", "import SignInService", true),
      ("Testing/ParserFuzzing", "import SQLiteStore", true),
    ]
  )
  func imports(folder: String, line: String, isAllowed: Bool) {
    let planted = file("\n\(line)\n", in: "Sources/\(folder)")

    let findings = HouseRule.imports(planted, layerOfModule: Self.modules)

    #expect(findings.isEmpty == isAllowed)
    #expect(findings.allSatisfy { $0.line == 2 })
  }

  @Test(
    "Time, chance and the process are found where only rules may be",
    arguments: [
      "let a = Date()", "Date.now", "UUID()", "Int.random(in: 0...1)", "ProcessInfo.processInfo",
      "try await Task.sleep(for: .seconds(1))", "words.shuffled()",
    ]
  )
  func ambient(line: String) {
    #expect(HouseRule.ambient(file(line)).count == 1)
    #expect(HouseRule.ambient(file(line, in: "Sources/Platform/Cryptography")) == [])
    #expect(HouseRule.ambient(file("// \(line)")) == [])
    #expect(HouseRule.ambient(file("let text = \"\(line)\"")) == [])
  }

  @Test(
    "A hidden fault is found",
    arguments: [
      "let a = try? read()", "let a = try! read()", "let a = b as! Int", "let a = b!", "b[0]!.c()",
      "f()!.c", "var a: Int!", "do { } catch {}", "do { } catch let fault as Fault {\n  // fine\n}",
      "let text = \"\\(b!)\"",
    ]
  )
  func silence(line: String) {
    #expect(HouseRule.silence(file(line)).count == 1)
    #expect(HouseRule.silence(file(line, in: "Tests/PlantedTests")) == [])
  }

  @Test(
    "What only looks like a hidden fault is let through",
    arguments: [
      "if a != b { }", "if !a { }", "let a = \"Stop!\"", "let a = b as? Int", "#if !os(Linux)",
      "do { } catch { report(error) }", "let a = #\"try? \"b\"! \"#", "/* try! /* as! */ b! */",
      "let a = \"\"\"\n  b! \\(c) d!\n  \"\"\"", "guard case .a(let b) = c, !b else { return }",
    ]
  )
  func harmless(line: String) {
    #expect(HouseRule.silence(file(line)) == [])
  }

  @Test(
    "A name that says nothing is found",
    arguments: [
      ("struct SessionManager {}", false), ("enum Utils {}", false), ("class BaseStore {}", false),
      ("protocol StoreImpl {}", false), ("enum Base64URL {}", true), ("struct Database {}", true),
      ("// a Manager of things", true),
    ]
  )
  func names(line: String, isAllowed: Bool) {
    #expect(HouseRule.names(file(line)).isEmpty == isAllowed)
  }

  @Test("A file or a folder that says nothing is found")
  func fileNames() {
    #expect(HouseRule.names(file("", in: "Sources/Service/Common")).count == 1)
    #expect(HouseRule.names(SourceFile(path: "Scripts/helpers.py", text: "")).count == 1)
  }

  @Test("A lock outside the shells, or without its name, is found")
  func uncheckedSendable() {
    let bare = "final class Planted: @unchecked Sendable {}"
    let named = "/// Its members are guarded by `lock`.\n\(bare)"

    #expect(HouseRule.uncheckedSendable(file(named)).count == 1)
    #expect(HouseRule.uncheckedSendable(file(bare, in: "Sources/Platform/HTTPServer")).count == 1)
    #expect(HouseRule.uncheckedSendable(file(named, in: "Sources/Platform/HTTPServer")) == [])
    #expect(
      HouseRule.uncheckedSendable(file("\(bare) // one thread", in: "Sources/Testing/T")) == []
    )
  }

  @Test(
    "A number that is read without a range is found",
    arguments: [
      ("guard let a = Int64(text) else { return nil }", false),
      ("guard b.count == 2,\n  let a = Int(text)\nelse { return }", false),
      ("if let a = UInt16(text) { use(a) }", false),
      ("let a = text.flatMap(Int64.init)", false), ("let a = cursor.map { Int64($0) }", false),
      ("let a = json[\"exp\"]?.number", false), ("let a = json[name]?.number ?? 0", false),
      ("let a = sqlite3_column_int64(statement, 1)", false),
      ("guard let a = Int(exactly: count) else { return nil }", true),
      ("let a = Int64(list.count)", true), ("let a = bytes.map { UInt8($0.value) }", true),
      ("let a = json[\"exp\"]?.number(in: 0...7)", true), ("let a = day?.number", true),
      ("let a = \"json[0]?.number\"", true),
    ])
  func unboundedNumbers(line: String, isAllowed: Bool) {
    #expect(HouseRule.unboundedNumbers(file(line)).isEmpty == isAllowed)
    #expect(HouseRule.unboundedNumbers(file(line, in: "Sources/Testing/T")) == [])
  }

  @Test("Unfinished work is found", arguments: ["TO" + "DO", "FIX" + "ME", "@Test(.dis" + "abled"])
  func unfinished(mark: String) {
    #expect(HouseRule.unfinished(file("// \(mark) later", in: "Tests/PlantedTests")).count == 1)
  }
}
