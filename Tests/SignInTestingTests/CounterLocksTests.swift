import SignInModel
import SignInService
import Testing

@testable import SignInTesting

@Suite("Order of the locks of counters")
struct CounterLocksTests {
  private let kinds: [ThrottleKind] = [.failures, .origin, .recipient, .budget]

  private func key(_ kind: ThrottleKind, _ byte: UInt8 = 1) -> ThrottleKey {
    ThrottleKey(kind, digest: [byte])
  }

  private func source(_ subject: String) -> RefusalSource {
    RefusalSource(
      code: .refusedTooOften, subject: subject, client: nil, network: nil, detail: nil)
  }

  @Test("L-09 counters are locked from the most particular kind to the most shared one")
  func kindsInOrder() {
    for (index, earlier) in kinds.enumerated() {
      for (other, later) in kinds.enumerated() where other != index {
        var locks = CounterLocks()
        let taken = [locks.take([key(earlier, 9)]), locks.take([key(later, 1)])]
        #expect(taken == [true, index < other])
      }
    }
  }

  @Test("counters of one kind are locked in the order of their digests")
  func digestsInOrder() {
    var locks = CounterLocks()
    let taken = [locks.take([key(.budget, 3), key(.budget, 1)]), locks.take([key(.budget, 2)])]
    #expect(taken == [true, false])
  }

  @Test("a counter that the decision has locked can be used again")
  func lockedCounter() {
    var locks = CounterLocks()
    let taken = [
      locks.take([key(.budget), key(.origin)]), locks.take([key(.origin)]), locks.take([]),
    ]
    #expect(taken == [true, true, true])
  }

  @Test("after a count of refusals no counter of a rate limit and no other source is locked")
  func refusalsLast() {
    var locks = CounterLocks()
    let taken = [
      locks.take([key(.origin)]), locks.take(source("one")), locks.take(source("one")),
      locks.take([key(.origin)]), locks.take(source("two")), locks.take([key(.budget)]),
    ]
    #expect(taken == [true, true, true, true, false, false])
  }
}
