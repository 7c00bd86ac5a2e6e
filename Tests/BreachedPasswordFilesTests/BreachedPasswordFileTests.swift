import Foundation
import Synchronization
import Testing

@testable import BreachedPasswordFiles

@Suite("A list of breached passwords")
struct BreachedPasswordFileTests {
  private let path = NSTemporaryDirectory() + "breached-" + UUID().uuidString

  /// Sorted digests.
  ///
  /// The list has those of even numbers; an odd number gives a digest in the middle between two of
  /// them.
  private func digest(_ number: Int) -> [UInt8] {
    let spread = UInt64(number) << 40
    return (0..<8).map { UInt8(truncatingIfNeeded: spread >> (56 - 8 * $0)) }
      + [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 12)
  }

  private func text(_ digest: [UInt8]) -> String {
    digest.map { String(format: "%02X", $0) }.joined()
  }

  private func list(
    _ count: Int, ending: String = "\n", last: String = "\n", times: (Int) -> String = { ":\($0)" }
  ) throws -> BreachedPasswordFile {
    let lines = (0..<count).map { text(digest($0 * 2)) + times($0) }
    try (lines.joined(separator: ending) + last).write(
      toFile: path, atomically: true, encoding: .utf8)
    return try BreachedPasswordFile(path) { _ in }
  }

  private func fault(of content: String) -> String? {
    do {
      try content.write(toFile: path, atomically: true, encoding: .utf8)
      _ = try BreachedPasswordFile(path) { _ in }
      return nil
    } catch let fault as BreachedPasswordFault {
      return fault.what
    } catch {
      return "\(error)"
    }
  }

  @Test(
    "Every digest of the list is found; a digest that is not in the list is not",
    arguments: [1, 2, 3, 64, 1000])
  func found(_ count: Int) async throws {
    let file = try list(count)

    for number in 0..<count {
      #expect(await file.contains(digest(number * 2)))
      #expect(await !file.contains(digest(number * 2 + 1)))
    }
    #expect(await !file.contains([UInt8](repeating: 0xFF, count: 20)))
  }

  @Test("Line ends may be LF or CRLF, the last line may have none, and counts are optional")
  func forms() async throws {
    for ending in ["\n", "\r\n"] {
      for last in ["", ending] {
        for count in ["", ":1", ":2147483647"] {
          let file = try list(20, ending: ending, last: last) { _ in count }
          for number in 0..<20 {
            #expect(await file.contains(digest(number * 2)))
            #expect(await !file.contains(digest(number * 2 + 1)))
          }
        }
      }
    }
  }

  @Test("A list in lower case is also read")
  func lowerCase() async throws {
    let lines = (0..<20).map { text(digest($0 * 2)).lowercased() + ":1" }
    try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
    let file = try BreachedPasswordFile(path) { _ in }

    #expect(await file.contains(digest(38)))
    #expect(await !file.contains(digest(39)))
  }

  @Test("A file that is not such a list is refused; the fault names the problem")
  func refused() {
    let right = (0..<100).map { text(digest($0 * 2)) + ":1" }
    #expect(fault(of: "") == "`\(path)` is empty")
    for content in ["password\n", "\n", String(right[0].dropFirst()), right[0] + "0\nx\n"] {
      #expect(fault(of: content)?.contains("is not a list") == true, "\(content)")
    }
    #expect(fault(of: right.reversed().joined(separator: "\n"))?.contains("not ordered") == true)
    #expect(fault(of: right.joined(separator: "\n")) == nil)
    #expect(throws: BreachedPasswordFault.self) {
      try BreachedPasswordFile(path + "-missing") { _ in }
    }
  }

  @Test("A list that is damaged while in use refuses no password and reports the damage")
  func damaged() async throws {
    let faults = Mutex(0)
    _ = try list(100)
    let file = try BreachedPasswordFile(path) { _ in faults.withLock { $0 += 1 } }
    let handle = try #require(FileHandle(forWritingAtPath: path))
    try handle.truncate(atOffset: 0)
    try handle.close()

    #expect(await !file.contains(digest(2)))
    #expect(faults.withLock { $0 } == 1)
  }
}
