import SignInModel
import SignInWire
import Testing

@testable import SignInService

@Suite("Recently signed leases")
struct RecentLeaseTests {
  private let start = Instant(seconds: 1_800_000_000)

  private func lease(
    _ session: String = "s", _ list: String = "products", after seconds: Int64, life: Int64
  ) -> OfflineLease {
    let now = start.adding(seconds: seconds)
    return OfflineLease(
      issuer: "https://example.com", account: AccountID("a"), client: ClientID("product-app"),
      organization: nil, list: list, session: SessionID(session), issuedAt: now,
      expiresAt: now.adding(seconds: life)
    )
  }

  @Test(
    "O-05 a lease is reused for a hundredth of its life, and at most for a minute",
    arguments: [(86_400, 60), (3600, 36), (600, 6), (99, 0)] as [(Int64, Int64)]
  )
  func again(life: Int64, seconds: Int64) {
    let leases = RecentLeases()
    #expect(leases.token(of: lease(after: 0, life: life)) { "first" } == "first")
    if seconds > 0 {
      let again = leases.token(of: lease(after: seconds - 1, life: life)) { "second" }
      #expect(again == "first")
    }
    #expect(leases.token(of: lease(after: seconds, life: life)) { "second" } == "second")
  }

  @Test("A lease of another session, list or life is a different lease")
  func others() {
    let leases = RecentLeases()
    _ = leases.token(of: lease(after: 0, life: 3600)) { "first" }
    #expect(leases.token(of: lease("t", after: 0, life: 3600)) { "session" } == "session")
    #expect(leases.token(of: lease("s", "jobs", after: 0, life: 3600)) { "shelf" } == "shelf")
    #expect(leases.token(of: lease(after: 0, life: 7200)) { "life" } == "life")
    #expect(leases.token(of: lease(after: -1, life: 3600)) { "earlier" } == "earlier")
  }
}
