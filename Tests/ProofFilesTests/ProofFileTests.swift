import Foundation
import SignInHTTP
import Synchronization
import Testing

@testable import ProofFiles

@Suite("Proofs on disk")
struct ProofFileTests {
  private let folder: String

  init() throws {
    folder = NSTemporaryDirectory() + "proofs-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
  }

  private func mark(_ number: UInt64) -> ProofMark { ProofMark(high: number, low: ~number) }

  private func marks(_ numbers: ClosedRange<UInt64>) -> [ProofMark] { numbers.map { mark($0) } }

  /// The proofs that the next process remembers.
  private func remembered(limit: Int = 1000) throws -> [ProofMark] {
    try ProofFile(in: folder, rememberedLimit: limit, reportFault: { _ in }).remembered
  }

  private func path(_ name: String) -> String { folder + "/" + name }

  @Test("The next process remembers the last two generations and forgets earlier ones")
  func generations() throws {
    let file = try ProofFile(in: folder) { _ in }
    for number in 1...3 as ClosedRange<UInt64> {
      _ = file.note(mark(number))
      if number < 3 { file.startGeneration() }
    }

    #expect(try remembered() == marks(2...3))
    #expect(try remembered() == marks(2...3))
  }

  @Test(
    "If a new generation cannot be started, no proof is lost, and the next call tries again",
    arguments: ["draft", "older", "newer"]
  )
  func failedStart(_ name: String) throws {
    let faults = Mutex(0)
    let file = try ProofFile(in: folder) { _ in faults.withLock { $0 += 1 } }
    _ = file.note(mark(1))
    // A folder that is not empty is in the place of the generation's file.
    let manager = FileManager.default
    let aside = path("aside")
    if manager.fileExists(atPath: path(name)) {
      try manager.moveItem(atPath: path(name), toPath: aside)
    }
    try manager.createDirectory(atPath: path(name) + "/full", withIntermediateDirectories: true)

    file.startGeneration()
    _ = file.note(mark(2))
    #expect(faults.withLock { $0 } == 1)

    try manager.removeItem(atPath: path(name))
    if manager.fileExists(atPath: aside) {
      try manager.moveItem(atPath: aside, toPath: path(name))
    }
    file.startGeneration()
    _ = file.note(mark(3))
    #expect(faults.withLock { $0 } == 1)
    #expect(try remembered() == marks(1...3))
  }

  @Test("If the start of a generation stopped halfway, the next start completes it")
  func halfStart() throws {
    let file = try ProofFile(in: folder) { _ in }
    _ = file.note(mark(1))
    // The state after a start that stopped between its two renames.
    try FileManager.default.removeItem(atPath: path("older"))
    try FileManager.default.moveItem(atPath: path("newer"), toPath: path("older"))
    _ = file.note(mark(2))

    file.startGeneration()
    _ = file.note(mark(3))
    #expect(try remembered() == marks(1...3))
    let second = try ProofFile(in: folder) { _ in }
    second.startGeneration()
    #expect(try remembered() == [])
  }

  @Test(
    "The newest proofs are remembered for every size of a generation",
    arguments: [(9, 1), (10, 1), (11, 2)] as [(UInt64, UInt64)]
  )
  func size(_ count: UInt64, _ first: UInt64) throws {
    let file = try ProofFile(in: folder) { _ in }
    for number in 1...count {
      _ = file.note(mark(number))
      if number == 4 { file.startGeneration() }
    }

    #expect(try remembered(limit: 10) == marks(first...count))
  }

  @Test("A file larger than two generations does not prevent the server from starting")
  func huge() throws {
    let extra = 3 * MemoryProofLedger.generationLimit
    let bytes = Data(count: extra * ProofMark.byteCount)
    try bytes.write(to: URL(filePath: path("newer")))

    let file = try ProofFile(in: folder) { _ in }

    #expect(file.remembered.count == ProofFile.rememberedLimit)
  }

  @Test("An incomplete mark at the end of a generation is ignored", arguments: [1, 15])
  func partial(_ bytes: Int) throws {
    let file = try ProofFile(in: folder) { _ in }
    _ = file.note(mark(1))
    let handle = try #require(FileHandle(forWritingAtPath: path("newer")))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(count: bytes))
    try handle.close()

    #expect(try remembered() == marks(1...1))
  }

  @Test("L-46 A proof that cannot be stored is not noted, one fault is reported, and it recovers")
  func fullDisk() throws {
    let faults = Mutex(0)
    let file = try ProofFile(in: folder) { _ in faults.withLock { $0 += 1 } }
    #expect(file.note(mark(1)))

    let noted = try onFullDisk { [file.note(mark(2)), file.note(mark(3))] }

    #expect(noted == [false, false])
    #expect(faults.withLock { $0 } == 1)
    #expect(file.note(mark(4)))
    #expect(try remembered() == [mark(1), mark(4)])
  }

  /// Runs `body` while the open file of the newer generation is a device without room.
  private func onFullDisk<Answer>(_ body: () -> Answer) throws -> Answer {
    let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
    let found = try #require(
      descriptors.compactMap { Int32($0) }.first { number in
        var text = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/fd/\(number)", &text, text.count)
        let target = text[..<max(0, count)].map { UInt8(bitPattern: $0) }
        return String(decoding: target, as: UTF8.self).hasSuffix(
          (folder as NSString).lastPathComponent + "/newer")
      })
    let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
    let kept = dup(found)
    defer {
      dup2(kept, found)
      close(kept)
      close(full)
    }
    #expect(full >= 0 && dup2(full, found) == found)
    return body()
  }
}
