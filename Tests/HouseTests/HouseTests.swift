import Foundation
import Testing

/// Tests of properties of the repository itself.
@Suite("House")
struct HouseTests {
  @Test("Every file, line and function is short", arguments: SourceFile.all)
  func lengths(file: SourceFile) {
    #expect(HouseRule.lengths(file) == [])
  }

  @Test("Every function has few parameters", arguments: SourceFile.sources)
  func parameterCounts(file: SourceFile) {
    #expect(HouseRule.parameterCounts(file) == [])
  }

  @Test("Every type of a session has few stored properties", arguments: SourceFile.sources)
  func storedProperties(file: SourceFile) {
    #expect(HouseRule.storedProperties(file) == [])
  }

  @Test("The diagram of a state machine names its states", arguments: SourceFile.sources)
  func diagrams(file: SourceFile) {
    #expect(HouseRule.diagrams(file) == [])
  }

  @Test("Every layer imports only the layers below it", arguments: SourceFile.sources)
  func imports(file: SourceFile) {
    #expect(HouseRule.imports(file) == [])
  }

  @Test("Time, randomness and the process come from ports", arguments: SourceFile.sources)
  func ambient(file: SourceFile) {
    #expect(HouseRule.ambient(file) == [])
  }

  @Test("The use cases do not name a store", arguments: SourceFile.sources)
  func storeNames(file: SourceFile) {
    #expect(HouseRule.storeNames(file) == [])
  }

  @Test("L-51 only a sign-out ends sign-ins and invitations", arguments: SourceFile.sources)
  func partialSignOuts(file: SourceFile) {
    #expect(HouseRule.partialSignOuts(file) == [])
  }

  @Test("No fault is hidden or turned into a crash", arguments: SourceFile.sources)
  func silence(file: SourceFile) {
    #expect(HouseRule.silence(file) == [])
  }

  /// The stand-ins for Apple's frameworks have Apple's names.
  private static let named = SourceFile.all.filter { !$0.path.hasPrefix("Tests/AppleStandIns/") }

  @Test("Every name says the purpose", arguments: named)
  func names(file: SourceFile) {
    #expect(HouseRule.names(file) == [])
  }

  @Test("Locks stay in shells, and each has a name", arguments: SourceFile.sources)
  func uncheckedSendable(file: SourceFile) {
    #expect(HouseRule.uncheckedSendable(file) == [])
  }

  @Test("Comments, titles, sentences and documents are in plain English", arguments: prose)
  func language(file: SourceFile) {
    #expect(HouseRule.language(file) == [])
  }

  /// The rules of the language name the words that they forbid.
  private static let prose = (SourceFile.all + SourceFile.documents).filter {
    !$0.path.hasPrefix("Tests/HouseTests/HouseRule")
  }

  @Test("The last noun of each public type is in the glossary or a general noun")
  func nouns() throws {
    let glossary = SourceFile.root.appending(path: "docs/glossary.md")
    let words = HouseRule.glossary(try String(contentsOf: glossary, encoding: .utf8))

    for file in SourceFile.sources {
      #expect(HouseRule.nouns(file, glossary: words) == [], "\(file.path)")
    }
  }

  @Test("A use case names the records that it needs", arguments: useCases)
  func wholeTransactions(file: SourceFile) {
    #expect(HouseRule.wholeTransactions(file) == [])
    #expect(HouseRule.records(file, among: Self.recordNames) == [])
  }

  private static let recordNames = RecordNames(useCases)
  private static let useCases = SourceFile.sources.filter { $0.path.hasPrefix("Sources/Service/") }

  @Test(
    "T-16 a decision with an administrator's permission names the administrator as a subject",
    arguments: SourceFile.sources)
  func administratorSubjects(file: SourceFile) {
    #expect(HouseRule.administratorSubjects(file) == [])
  }

  @Test("L-36 every number from outside is read with its range", arguments: SourceFile.sources)
  func unboundedNumbers(file: SourceFile) {
    #expect(HouseRule.unboundedNumbers(file) == [])
  }

  @Test(
    "Paths of the server and fields of its requests and answers are defined once",
    arguments: SourceFile.all)
  func paths(file: SourceFile) {
    #expect(HouseRule.paths(file) == [])
    #expect(HouseRule.fields(file) == [])
  }

  @Test("No work is unfinished or disabled", arguments: SourceFile.all)
  func unfinished(file: SourceFile) {
    #expect(HouseRule.unfinished(file) == [])
  }

  @Test("Every declaration of the product is used in the product")
  func unused() {
    let found = HouseRule.unused(SourceFile.sources).map { "\($0.file.path) \($0.finding)" }
    #expect(found == [])
  }

  @Test("The engine knows neither the keyboard focus nor what a screen reader says")
  func engine() {
    for file in SourceFile.sources where file.path.hasPrefix("Sources/Portable/SignInEngine/") {
      for word in ["focus", "announce"] {
        #expect(!file.text.lowercased().contains(word), "\(file.path): \(word)")
      }
    }
  }

  @Test("Web cores match events by patterns", arguments: SourceFile.sources)
  func comparedEvents(file: SourceFile) {
    #expect(HouseRule.comparedEvents(file) == [])
  }

  @Test("The Swift client knows neither forms nor screens")
  func client() {
    let modules = ["SignInFlow", "SignInScreens"]
    for file in SourceFile.sources where file.path.hasPrefix("Sources/Client/") {
      #expect(!modules.contains { file.text.contains("import \($0)") }, "\(file.path)")
    }
  }

  @Test("The tests of the engine use neither forms nor screens")
  func engineTests() {
    let files = SourceFile.all.filter { $0.path.hasPrefix("Tests/SignInEngineTests/") }
    #expect(!files.isEmpty)
    for file in files {
      let imported = Set(HouseRule.importedModules(file).map(\.module))
      #expect(imported.isDisjoint(with: ["SignInFlow", "SignInScreens"]), "\(file.path)")
    }
  }

  @Test("No JavaScript module imports itself through other modules")
  func importCircles() {
    #expect(HouseRule.importCircles(SourceFile.all) == [])
  }

  @Test("Every folder under Sources is a planned layer")
  func layers() throws {
    let folder = SourceFile.root.appending(path: "Sources").path(percentEncoded: false)

    let found = try FileManager.default.contentsOfDirectory(atPath: folder)

    #expect(Set(found).isSubset(of: HouseRule.layers.keys), "add the layer to HouseRule.layers")
  }

  @Test("The top of the repository has few entries")
  func topLevel() throws {
    let root = SourceFile.root.path(percentEncoded: false)

    let entries = try FileManager.default.contentsOfDirectory(atPath: root)
      .filter { !$0.hasPrefix(".") }

    #expect(entries.count <= HouseRule.topLevelEntryLimit, "move something into a folder")
  }

  @Test("T-16 every event of the security log has a sentence in the console")
  func eventSentences() {
    func texts(_ path: String, _ pattern: Regex<(Substring, Substring)>) -> Set<Substring> {
      let files = SourceFile.sources.filter { $0.path.contains(path) }
      return Set(files.flatMap { $0.text.matches(of: pattern).map(\.output.1) })
    }
    let codes = texts("Administration/SecurityEvent+", /= Self\("([a-z_.]+)"\)/)
    let keys = texts("Words/EventSentence", /case \w+ = "([a-z_. ]+)"/)

    #expect(codes.count > 60 && codes.subtracting(keys) == [])
    let reasons = texts("SignInWire/EndReason.swift", /case \w+ = "([a-z_]+)"/)
    #expect(!reasons.isEmpty && reasons.allSatisfy { keys.contains("session.ended \($0)") })
  }
}
