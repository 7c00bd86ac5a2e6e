import Foundation
import Testing

/// Properties of the repository itself, checked like any other behaviour.
@Suite("House")
struct HouseTests {
  @Test("Every file, line and function is short", arguments: SourceFile.all)
  func lengths(file: SourceFile) {
    #expect(HouseRule.lengths(file) == [])
  }

  @Test("Every layer imports only the layers below it", arguments: SourceFile.sources)
  func imports(file: SourceFile) {
    #expect(HouseRule.imports(file) == [])
  }

  @Test("Time, chance and the process come from ports", arguments: SourceFile.sources)
  func ambient(file: SourceFile) {
    #expect(HouseRule.ambient(file) == [])
  }

  @Test("No fault is hidden or turned into a crash", arguments: SourceFile.sources)
  func silence(file: SourceFile) {
    #expect(HouseRule.silence(file) == [])
  }

  /// The stand-ins for Apple's frameworks have the names that Apple gave.
  private static let named = SourceFile.all.filter { !$0.path.hasPrefix("Tests/AppleStandIns/") }

  @Test("Every name says what the thing is for", arguments: named)
  func names(file: SourceFile) {
    #expect(HouseRule.names(file) == [])
  }

  @Test("Locks stay in shells, and each is named", arguments: SourceFile.sources)
  func uncheckedSendable(file: SourceFile) {
    #expect(HouseRule.uncheckedSendable(file) == [])
  }

  @Test("L-36 every number from outside is read with its range", arguments: SourceFile.sources)
  func unboundedNumbers(file: SourceFile) {
    #expect(HouseRule.unboundedNumbers(file) == [])
  }

  @Test("Nothing is left unfinished or switched off", arguments: SourceFile.all)
  func unfinished(file: SourceFile) {
    #expect(HouseRule.unfinished(file) == [])
  }

  @Test("Every folder under Sources is a layer of the plan")
  func layers() throws {
    let folder = SourceFile.root.appending(path: "Sources").path(percentEncoded: false)

    let found = try FileManager.default.contentsOfDirectory(atPath: folder)

    #expect(Set(found).isSubset(of: HouseRule.layers.keys), "add the layer to HouseRule.layers")
  }

  @Test("The top of the repository fits one look")
  func topLevel() throws {
    let root = SourceFile.root.path(percentEncoded: false)

    let entries = try FileManager.default.contentsOfDirectory(atPath: root)
      .filter { !$0.hasPrefix(".") }

    #expect(entries.count <= HouseRule.topLevelEntryLimit, "move something into a folder")
  }
}
