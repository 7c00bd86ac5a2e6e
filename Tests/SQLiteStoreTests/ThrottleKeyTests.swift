import SignInModel
import SignInRules
import SignInService
import SignInTesting
import Testing

@testable import SQLStore

@Suite("The stored text of the key of a throttle")
struct ThrottleKeyTests {
  private let folder = TemporaryFolder()

  @Test("L-09 a count is stored under the base64url text of its digest, as earlier versions did")
  func text() async throws {
    let store = try SQLiteStore(directory: folder.path)
    let key = ThrottleKey(.origin, digest: [0xFB, 0xEF, 0xFF, 0x00])
    var throttle = Throttle.quiet
    throttle.count(at: Instant(seconds: 1), under: [.hourly(5)])
    let counted = throttle

    try await store.transact { (transaction) throws(StoreFault) in
      try transaction.save(counted, for: key, quietFrom: Instant(seconds: 2))
    }

    let raw = try RawDatabase(folder.database)
    #expect(try raw.number("SELECT count(*) FROM throttles WHERE key = '--__AA'") == 1)
  }
}
