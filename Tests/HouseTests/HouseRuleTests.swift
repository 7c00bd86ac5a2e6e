import Testing

/// A rule that finds nothing may be broken.
///
/// Each rule must find a fault that was planted for it.
@Suite("House rules find planted faults")
struct HouseRuleTests {
  static let modules = [
    "SignInModel": "Portable", "Cryptography": "Platform", "SignInService": "Service",
    "SQLStore": "Adapters", "SignInTesting": "Testing",
  ]

  func file(_ text: String, in folder: String = "Sources/Service/SignInService") -> SourceFile {
    SourceFile(path: "\(folder)/Planted.swift", text: text)
  }

  @Test("A file may have 500 lines and no more", arguments: [499, 500, 501])
  func fileLength(count: Int) {
    let text = String(repeating: "// line\n", count: count)

    #expect(HouseRule.lengths(file(text)).isEmpty == (count <= 500))
  }

  @Test("A line may have 100 columns and no more", arguments: [99, 100, 101])
  func lineLength(count: Int) {
    #expect(
      HouseRule.lengths(file(String(repeating: "a", count: count))).isEmpty == (count <= 100)
    )
  }

  @Test(
    "A function may have 60 lines and no more",
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

  @Test("A type of a session may have seven stored properties and no more", arguments: [6, 7, 8])
  func storedProperties(count: Int) {
    let stored = (0..<count).map { "  private(set) var a\($0): Int = 0\n" }.joined()
    let head = "public struct Planted<Home: AppHome>:\n  Equatable, Sendable\n{\n"
    let inner = "  enum Step {\n    case first\n    var isLast: Bool { false }\n  }\n"
    let rest = "  static let limit = 1\n  func step() {\n    let x = 1\n  }\n"
    let text = head + inner + stored + rest + "}\n"

    for folder in ["Sources/Portable/SignInEngine", "Sources/Portable/SignInFlow"] {
      #expect(HouseRule.storedProperties(file(text, in: folder)).isEmpty == (count <= 7))
      #expect(HouseRule.storedProperties(file(text, in: folder + "/Homes")) == [])
    }
  }

  @Test(
    "The diagram of a state machine names each of its states",
    arguments: [
      ("///     idle ──sent──▶ in browser\n", []),
      ("///     idle ──▶ browser\n///\n/// `inBrowser` waits.\n", []),
      ("///     idle ──sent──▶ browser\n", [5]),
      ("/// It is idle or in browser.\n", [3]),
    ] as [(String, [Int])])
  func diagrams(comment: String, found: [Int]) {
    let states = "  enum Step: Equatable {\n    case idle\n    case inBrowser(Int)\n  }\n"
    let text = comment + "struct Planted {\n" + states + "}\n"

    let folder = "Sources/Portable/SignInEngine"
    #expect(HouseRule.diagrams(file(text, in: folder)).map(\.line) == found)
    #expect(HouseRule.diagrams(file(text, in: "Sources/Portable/SignInFlow")) == [])
  }

  @Test(
    "A function may have five parameters and no more",
    arguments: [
      ("func five(a: A, b: B, c: C, d: D, e: E)", false),
      ("func six(a: A, b: B, c: C,\n  d: D, e: E, f: F)", true),
      ("func types(a: (A, A), b: [B: B], c: C<C, C>, d: (D, D) -> D, e: E = e(1, 2))", false),
      ("func generic<A: B, C>(a: (A) -> C, b: B, c: C, d: D, e: E, f: F)", true),
      ("func none()\nlet list = [(a, b, c, d, e, f)]", false),
      ("func lines<\n  A: B, C\n>(a: A, b: B, c: C, d: D, e: E, f: F)", true),
      ("init(a: A, b: B, c: C, d: D, e: E)\nlet x = Row.init(a, b, c, d, e, f)", false),
      (
        "init(a: A, b: B, c: C, d: D, e: E, f: F) {\n\(stored(["a", "b", "c", "d", "e", "f"]))}",
        false
      ),
      (
        "init(_ a: A, b: B, c: C, d: D, e: E, by f: F) {\n\(stored(["a", "b", "c", "d", "e"]))}",
        true
      ),
      ("func addPerson(a: A, b: B, c: C, d: D, e: E, f: F)", false),
    ])
  func parameterCount(text: String, isFound: Bool) {
    #expect(HouseRule.parameterCounts(file(text)).isEmpty != isFound)
  }

  private static func stored(_ names: [String]) -> String {
    names.map { "  self.\($0) = \($0)\n" }.joined()
  }

  @Test(
    "A table of words is not too long; a switch with code is",
    arguments: [
      (" \"a\"", true), ("\n      \"a\"\n        + \"b\"", true), (" work()", false),
      ("\n      work()", false), ("\n      \"a\".b()", false),
    ])
  func tableOfWords(value: String, isTable: Bool) {
    let rows = (0..<80).map { "    case .c\($0):\(value)\n" }.joined()
    let text = "var words: String {\n  switch self {\n\(rows)  }\n}\n"

    #expect(HouseRule.lengths(file(text)).isEmpty == isTable)
  }

  @Test("A requirement without a body is not read as a function with one")
  func protocolRequirement() {
    let body = String(repeating: "  func a() -> Int\n  var b: Int\n", count: 40)
    let text = "protocol Planted {\n\(body)}\nstruct Next {\n\(body)}\n"

    #expect(HouseRule.lengths(file(text)) == [])
  }

  @Test("A file, function, value or case that nothing uses is found")
  func unused() {
    let used = file("struct Used { static func work() {} }\nlet a = Used.work()\nlet b = a + b\n")
    let planted = file(
      """
      struct PlantedFile {
        @Sendable private static func plantedWork() {}
        // plantedWork plantedValue
        let plantedValue = "plantedValue"
        case plantedCase(Int)
        func f() { switch a { case pattern: f() } }
        case pattern:
      }
      """)
    #expect(HouseRule.unused([used]).isEmpty)
    #expect(HouseRule.unused([used, planted]).map(\.finding.line) == [1, 2, 4, 5])
    let client = file("public struct Offered {}\nstruct Hidden {}", in: "Sources/Client/Planted")
    #expect(HouseRule.unused([client]).map(\.finding.line) == [2])
    let test = file("struct OfTests {}", in: "Tests/PlantedTests")
    #expect(HouseRule.unused([test]).isEmpty)
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
      ("Service/SignInService", "import struct SQLStore.Row", false),
      ("Service/SignInService", "public import Cryptography", true),
      ("Adapters/SQLiteStore", "@testable import SignInTesting", false),
      ("Adapters/SQLiteStore", "import SignInService", true),
      ("Programs/fieldpass", "import SignInTesting", false),
      ("Programs/fieldpass", "import SQLStore", true),
      ("Testing/SignInTesting", "import SQLStore", false),
      ("Testing/SignInTesting", "import SignInService", true),
      ("Testing/ParserFuzzing", "import SQLStore", true),
    ]
  )
  func imports(folder: String, line: String, isAllowed: Bool) {
    let planted = file("\n\(line)\n", in: "Sources/\(folder)")

    let findings = HouseRule.imports(planted, layerOfModule: Self.modules)

    #expect(findings.isEmpty == isAllowed)
    #expect(findings.allSatisfy { $0.line == 2 })
  }

  @Test(
    "Time, randomness and the process are found where only rules are allowed",
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
    "Code that only resembles a hidden fault is accepted",
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
    "A meaningless name is found",
    arguments: [
      ("struct SessionManager {}", false), ("enum Utils {}", false), ("class BaseStore {}", false),
      ("protocol StoreImpl {}", false), ("enum Base64URL {}", true), ("struct Database {}", true),
      ("// a Manager of things", true),
    ]
  )
  func names(line: String, isAllowed: Bool) {
    #expect(HouseRule.names(file(line)).isEmpty == isAllowed)
  }

  @Test("A file or folder with a meaningless name is found")
  func fileNames() {
    #expect(HouseRule.names(file("", in: "Sources/Service/Common")).count == 1)
    #expect(HouseRule.names(SourceFile(path: "Scripts/helpers.py", text: "")).count == 1)
  }

  @Test("A lock outside the shells, or without a named lock, is found")
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

  @Test(
    "A compared event is found in a web core",
    arguments: [
      ("if event == .ticked {", false), ("page.intent != .cancel", false),
      (".ticked == event", false), ("if case .ticked = event {", true),
      ("$0.id == event.session", true), ("event.kind == .a", true),
    ])
  func comparedEvents(line: String, isAllowed: Bool) {
    let core = file(line, in: "Sources/Portable/SignInFlow")
    #expect(HouseRule.comparedEvents(core).isEmpty == isAllowed)
    let program = file(line, in: "Sources/Programs/rider-web")
    #expect(HouseRule.comparedEvents(program).isEmpty == isAllowed)
    #expect(HouseRule.comparedEvents(file(line, in: "Sources/Service/SignInService")) == [])
  }

  @Test(
    "An import circle of JavaScript modules is found",
    arguments: [("../app.js", true), ("./list.js", true), ("./rows.js", false)]
  )
  func importCircles(last: String, isCircle: Bool) {
    let files = [
      ("app.js", "import { a } from './dom.js';"),
      ("controls/list.js", "export { row } from '\(last)';"), ("controls/rows.js", ""),
      ("dom.js", "import {\n  list,\n} from './controls/list.js';"),
    ].map { SourceFile(path: "Apps/\($0)", text: $1) }

    let found = HouseRule.importCircles(files)

    #expect(found == (isCircle ? ["Apps/app.js", "Apps/controls/list.js", "Apps/dom.js"] : []))
  }

  @Test(
    "The name of a store is found in the use cases only",
    arguments: ["case sqlite(String)", "// SQLite has one writer", "let a = \"sqlite:\""]
  )
  func storeNames(line: String) {
    #expect(HouseRule.storeNames(file("\n\(line)")).map(\.line) == [2])
    #expect(HouseRule.storeNames(file(line, in: "Sources/Adapters/SQLStore/SQLite")) == [])
  }

  @Test("Unfinished work is found", arguments: ["TO" + "DO", "FIX" + "ME", "@Test(.dis" + "abled"])
  func unfinished(mark: String) {
    #expect(HouseRule.unfinished(file("// \(mark) later", in: "Tests/PlantedTests")).count == 1)
  }

  @Test(
    "Words that a newcomer has to guess at are found",
    arguments: [
      ("// Nobody" + "’s number", 1), ("/// Who" + "ever tries, any" + "way", 1),
      ("  // a let" + "ter and an er" + "rand", 1), ("@Test(\"some" + "body signs in\")", 1),
      ("let text = \"what" + "ever it is\"", 1), ("let no" + "body = 1", 0),
      ("throw invalidGrant(\"the session is o" + "ver\")", 1), ("// is overdue", 0),
      ("// mail no" + "body@example.com", 0), ("// an enlargement", 0),
    ])
  func language(line: String, count: Int) {
    #expect(HouseRule.language(file(line)).count == count)
  }

  @Test("A document and a script are read as well", arguments: ["docs/a.md", "Scripts/a.py"])
  func documents(path: String) {
    let text = path.hasSuffix("md") ? "Some" + "body reads it." : "# Some" + "body runs it."

    #expect(HouseRule.language(SourceFile(path: path, text: text)).count == 1)
  }

  @Test(
    "A public type whose last noun is unknown is found",
    arguments: [
      ("public struct SessionFarthing {}", false), ("struct SessionFarthing {}", true),
      ("public struct Sessions {}", true), ("public enum LockoutPolicies {}", true),
      ("public final class FileStore {}", true),
    ])
  func nouns(line: String, isAllowed: Bool) {
    let glossary = HouseRule.glossary("| session | A |\n| lockout policy | B |")

    #expect(HouseRule.nouns(file(line), glossary: glossary).isEmpty == isAllowed)
  }

  @Test(
    "An address of the server is found outside the tables of addresses",
    arguments: [
      ("call(\"/api/jobs\")", true), ("call(issuer + \"/oauth/token\")", true),
      ("probe(\"/livez\")", true), ("call(\"/accounts\")", true), ("call(.jobs)", false),
      ("/// Answers \"/api/jobs\".", false), ("open(\"/app/console/\")", true),
      ("open(\"/dev/stdin\")", false), ("call(\"/api/products/p1/transfer\")", true),
      ("call(\"/admin/jobs:batch\")", true), ("call(\"/apps/console?x=1\")", true),
      ("call(\"/jwks.json?x=1\")", true), ("call(\"/api/me\\(query)\")", true),
      ("call(\"/api/new-thing\")", true), ("open(\"https://login.example.com/api/me\")", true),
      ("open(\"https://login.example.com\")", false), ("read(\"/proc/net/route\")", false),
      ("open(\"/.well-known/other\")", true), ("data + \"/\"", false),
    ])
  func pathOfServer(text: String, isFound: Bool) {
    #expect(HouseRule.paths(file(text)).isEmpty != isFound)
    for table in ["Endpoint", "PageAddress"] {
      let path = "Sources/Portable/SignInWire/\(table).swift"
      #expect(HouseRule.paths(SourceFile(path: path, text: text)) == [])
    }
    let inProgram = SourceFile(
      path: "Sources/Programs/fieldpass/Planted.swift", text: "data + \"/keys\"")
    #expect(HouseRule.paths(inProgram) == [])
  }

  @Test(
    "A use case that takes every record is found",
    arguments: [
      ("func open(_ transaction: any Transaction)", true), ("extension Transaction {", true),
      ("world.decide { (transaction) throws in", true),
      ("func open(_ transaction: any AccountRecords)", false),
      ("world.decide { (transaction: any SessionRecords) throws in", false),
    ])
  func wholeTransaction(text: String, isFound: Bool) {
    func source(_ area: String) -> SourceFile {
      SourceFile(path: "Sources/Service/SignInService/\(area)/Open.swift", text: text)
    }
    #expect(HouseRule.wholeTransactions(source("Sessions")).isEmpty != isFound)
    #expect(HouseRule.wholeTransactions(source("World")) == [])
  }

  @Test(
    "A use case that names records without a use is found",
    arguments: [
      ("any JobRecords", "try transaction.job(id)", []),
      ("any JobRecords & VersionRecords", "try transaction.job(id)", ["VersionRecords"]),
      ("any JobRecords", "send(job)", ["JobRecords"]),
      ("any Sending.Records", "try sending.send(transaction)", []),
      ("any Sending.Records", "try transaction.job(id)", ["Sending.Records"]),
      ("any JobRecords & Sending.Records", "send(job(id))", []),
    ])
  func unusedRecords(type: String, call: String, found: [String]) {
    let useCase = SourceFile(
      path: "Sources/Service/SignInService/Open.swift",
      text: "func open(_ transaction: \(type)) throws -> Job? {\n  \(call)\n}\n")

    let findings = HouseRule.records(useCase, among: RecordNames([useCase, Self.recordFile]))

    #expect(findings.map(\.advice) == found.map { "remove \($0), which this file does not use" })
  }

  private static let recordFile = SourceFile(
    path: "Sources/Service/SignInService/Records.swift",
    text: """
      protocol JobRecords {
        func job(_ id: String) throws -> Job?
      }

      protocol VersionRecords {
        func nextVersion() throws -> Int64
      }

      struct Sending {
        typealias Records = JobRecords & VersionRecords

        func send(_ transaction: any Records) throws {
          try transaction.job(transaction.nextVersion())
        }
      }
      """)

  @Test("A use case may take as many records as the limit", arguments: [-1, 0, 1])
  func recordLimit(above: Int) {
    let names = (1...HouseRule.recordLimit + above).map { "Area\($0)Records" }
    let file = file("typealias AllRecords = " + names.joined(separator: " & "))

    let findings = HouseRule.records(file, among: RecordNames([file]))

    #expect(findings.contains { $0.advice.hasPrefix("take fewer records") } == (above > 0))
  }

  @Test(
    "A decision with a permission of an administrator who is no subject is found",
    arguments: [
      ("about: [.account(id)]", "changedBy: rules", true),
      ("about: [.account(id), rules.subject]", "changedBy: rules", false),
      ("about: [.account(id)]", "readBy: rules", false),
      ("once, about: [.account(id)], json: { $0.json }", "changedBy: rules", true),
    ])
  func administratorSubject(subjects: String, permission: String, isFound: Bool) {
    for name in ["decide", "decideIdempotently"] {
      let text = """
        let planted = true
        func end(_ id: AccountID) throws -> Int {
          try await world.\(name)(\(subjects)) { (transaction: any AccountRecords) in
            try transaction.account(id, \(permission), needing: .support)
          }
        }
        """
      #expect(HouseRule.administratorSubjects(file(text)).map(\.line) == (isFound ? [2] : []))
    }
  }

  @Test(
    "The name of a field is found outside its definition",
    arguments: [
      ("JSONMember(\"name\", name)", true), ("body[\"retry_in\"]?.seconds", true),
      (".object([(\"id\", .text)])", true), (".required(\"id\", .text)", true),
      ("    \"locked_until\", .number,", true), ("$0.isNamed(\"scope\")", true),
      ("JSONMember(.name, name)", false), (".word([\"otp\"])", false),
      ("form[\"client_id\"]", true), ("Form.Field(\"otp\", code)", true),
      ("Parameter(name: \"otp\", schema: .code)", true), ("form[.clientID]", false),
    ])
  func fieldOfRequest(text: String, isFound: Bool) {
    #expect(HouseRule.fields(file(text)).isEmpty != isFound)
    #expect(HouseRule.fields(file(text, in: "Sources/Adapters/TextMessengers")) == [])
    #expect(HouseRule.fields(file(text, in: "Sources/Portable/SignInFlow")).isEmpty != isFound)
  }

  @Test("The name of a member is found only in targets that write or read answers")
  func memberElsewhere() {
    let text = "JSONMember(\"name\", name)"

    #expect(HouseRule.fields(file(text, in: "Sources/Portable/SignInWire")) == [])
    #expect(HouseRule.fields(file(text, in: "Sources/Service/SignInHTTP/Practice")) == [])
  }
}
