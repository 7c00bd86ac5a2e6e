import EngineTesting
import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine
@testable import SignInFlow

/// Offline copies that earlier versions of the app have stored on devices.
///
/// The names of members are part of the format. They do not change when a type is renamed.
@Suite("Offline copies of earlier versions")
struct StoredDataTests {
  @Test("O-01 the head of an offline copy is read and written as the same bytes")
  func offlineCopy() throws {
    let text = """
      {"version":1,"cursor":"c-9","as_of":1800000000,"lease":"l.e.ase",\
      "seen_at":1800000100,"parts":["p1","p2"]}
      """

    let head = try #require(OfflineCopyHead(bytes: Array(text.utf8)))

    #expect(head.piece == SealedRecord(key: "head", bytes: Array(text.utf8)))
    #expect(head.cursor == "c-9" && head.parts == ["p1", "p2"])
  }

  @Test("L-33 a partial sync and its lines of changes are read and written as the same bytes")
  func partialSync() throws {
    let text = #"{"version":1,"base":"c-8","cursor":"c-9","parts":["p1"]}"#
    let lines = "+\tproduct-001\tDishwasher\tBOX-DW-660S\n-\tproduct-002\n"
    let pieces = [
      SealedRecord(key: PartialSync.key, bytes: Array(text.utf8)),
      SealedRecord(key: "p1", bytes: Array(lines.utf8)),
    ]

    let sync = try #require(PartialSync(pieces, base: "c-8"))

    #expect(PartialSync.key == "next")
    #expect(sync.piece == pieces[0])
    #expect(sync.pages.map(\.piece) == [pieces[1]])
    #expect(sync.pages.map(\.lineCount) == [2])
  }
}
