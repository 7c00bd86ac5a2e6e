import SignInRules
import Testing

@Suite("Handing a message over")
struct HandOverTests {
  private let first = HandOver.Candidate(index: 0, deduplicatesMessages: true)
  private let second = HandOver.Candidate(index: 1, deduplicatesMessages: true)
  /// A provider that does not recognize repetitions and would send a message twice.
  private let forgetful = HandOver.Candidate(index: 2, deduplicatesMessages: false)

  private func machine(
    _ candidates: [HandOver.Candidate], round: Int64 = 1, unclearCount: Int64 = 0
  ) -> HandOver {
    HandOver(candidates: candidates, round: round, unclearCount: unclearCount)
  }

  @Test("R-12 the server tries the providers in order until one accepts")
  func inOrder() {
    var machine = machine([first, second])

    #expect(machine.begin() == .ask(first))
    #expect(machine.handle(.retry(afterSeconds: 9)) == .ask(second))
    #expect(machine.handle(.accepted) == .settleHandedOver)
  }

  @Test("L-06 the server tries the same provider again after no answer, before it tries another")
  func unclear() {
    var machine = machine([first, second])

    #expect(machine.handle(.unclear) == .ask(first))
    #expect(machine.unclear == first)
    #expect(machine.handle(.unclear) == .ask(second))
    #expect(machine.handle(.unclear) == .ask(second))
    #expect(machine.handle(.unclear) == .wait(seconds: 1))
    #expect(machine.unclear == second)
    #expect(machine.unclearCount == 0)
  }

  @Test("L-06 a refusal at the second try shows that the first was not accepted either")
  func clearedUp() {
    var machine = machine([first])

    #expect(machine.handle(.unclear) == .ask(first))
    #expect(machine.handle(.retry(afterSeconds: 3)) == .wait(seconds: 1))
    #expect(machine.unclear == nil)
  }

  @Test(
    "L-06 a provider without repetition checks is not retried: below, at and above the limit",
    arguments: [0, 1, 2, 3] as [Int64])
  func unclearCount(before: Int64) {
    var machine = machine([forgetful, first], unclearCount: before)

    let begun = machine.begin()
    let next = machine.handle(.unclear)

    #expect((begun == .ask(forgetful)) == (before < HandOver.unclearLimit))
    #expect((next == .ask(first)) == (before + 1 < HandOver.unclearLimit))
    #expect(machine.unclearCount == before + 1)
  }

  @Test("L-06 an unreachable number is tried once; a fault of one provider leads to the others")
  func never() {
    var refused = machine([first, second])
    var elsewhere = machine([first, second])

    #expect(refused.handle(.never) == .settleFailed)
    #expect(elsewhere.handle(.otherMessenger) == .ask(second))
    #expect(elsewhere.handle(.otherMessenger) == .settleFailed)
  }

  @Test("L-06 the server waits as long as requested, and longer each round, up to fifteen seconds")
  func rests() {
    let rounds: [Int64] = [1, 2, 3, 4, 5, 6, 99]

    let rests = rounds.map { round in
      var machine = machine([first], round: round)
      return machine.handle(.retry(afterSeconds: 1))
    }
    var patient = machine([first, second])
    _ = patient.handle(.retry(afterSeconds: 120))

    #expect(rests == [1, 2, 4, 8, 15, 15, 15].map { HandOver.Step.wait(seconds: $0) })
    #expect(patient.handle(.retry(afterSeconds: 60)) == .wait(seconds: 60))
  }

  @Test("L-06 a hand-over fails without any provider")
  func noProviders() {
    var machine = machine([])

    #expect(machine.begin() == .settleFailed)
    #expect(machine.handle(.unclear) == .settleFailed)
  }
}
