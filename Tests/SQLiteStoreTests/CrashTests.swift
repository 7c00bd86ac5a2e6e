import Foundation
import SQLStore
import SignInModel
import SignInService
import SignInTesting
import Testing

@Suite("Crashes")
struct CrashTests {
  private static let rounds = 30
  /// The distance between the numbers of one round and the next.
  private static let roundSize = 1_000_000

  private let folder = TemporaryFolder()

  @Test("acknowledged changes survive kill -9 at any moment")
  func survivesKill() async throws {
    let chance = Chance(seed: 0x0FF1_CE)
    var acknowledged: Set<Int> = []

    for round in 0..<Self.rounds {
      // Some rounds end while the store is being opened, most after some hundred changes.
      let lines = round % 5 == 0 ? 0 : chance.number(below: 600)
      let reported = try CrashChild.run(
        in: folder.path, first: round * Self.roundSize, untilLines: lines,
        spins: chance.number(below: 2_000_000))
      acknowledged.formUnion(reported)

      let store = try SQLiteStore(directory: folder.path)
      #expect(try store.integrityProblems() == [])
      let found = try await Self.numbers(in: store)
      let lost = acknowledged.subtracting(found)
      #expect(lost.isEmpty, "lost in round \(round): \(lost.sorted().prefix(10))")
      store.close()
    }

    #expect(acknowledged.count > Self.rounds * 100)
  }

  private static func numbers(in store: SQLiteStore) async throws -> Set<Int> {
    let jobs = try await store.read { transaction throws(StoreFault) in
      var jobs: [Job] = []
      for account in 0..<7 { jobs += try transaction.jobs(of: AccountID("account-\(account)")) }
      return jobs
    }
    return Set(jobs.compactMap { Int($0.id) })
  }
}

/// Random numbers that are the same for the same seed.
private struct Chance {
  private let source: SeededRandomness

  init(seed: UInt64) { source = SeededRandomness(seed: seed) }

  func number(below limit: Int) -> Int {
    let word = source.bytes(4).reduce(0) { $0 << 8 | Int($1) }
    return word % limit
  }
}

/// The program that writes until it is killed.
private enum CrashChild {
  /// Starts it, kills it after it has reported `untilLines` numbers, and returns all reported
  /// numbers.
  static func run(
    in folder: String, first: Int, untilLines: Int, spins: Int
  ) throws -> [Int] {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = try program()
    process.arguments = [folder, "\(first)"]
    process.standardOutput = pipe
    try process.run()

    var output = Data()
    var lines = 0
    while lines < untilLines {
      let part = pipe.fileHandleForReading.availableData
      if part.isEmpty { break }
      lines += part.count { $0 == UInt8(ascii: "\n") }
      output += part
    }
    // The child continues during this loop, so that the kill happens at any point of a commit.
    var spun = 0
    while spun < spins { spun += 1 }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    output += pipe.fileHandleForReading.readDataToEndOfFile()

    #expect(process.terminationReason == .uncaughtSignal, "it ended before it was killed")
    let text = String(decoding: output, as: UTF8.self)
    return text.split(separator: "\n").compactMap { Int($0) }
  }

  /// The program is built beside the test bundle.
  private static func program() throws -> URL {
    let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let beside = URL(fileURLWithPath: bundle).deletingLastPathComponent()
    let program = beside.appendingPathComponent("store-crash-child")
    try #require(FileManager.default.isExecutableFile(atPath: program.path))
    return program
  }
}
