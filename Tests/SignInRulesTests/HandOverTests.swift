import SignInRules
import Testing

@Suite("Handing a message over")
struct HandOverTests {
  private let first = HandOver.Carrier(index: 0, knowsRepetitions: true)
  private let second = HandOver.Carrier(index: 1, knowsRepetitions: true)
  /// Takes the same message twice.
  private let forgetful = HandOver.Carrier(index: 2, knowsRepetitions: false)

  private func machine(
    _ carriers: [HandOver.Carrier], round: Int64 = 1, doubts: Int64 = 0
  ) -> HandOver {
    HandOver(carriers: carriers, round: round, doubts: doubts)
  }

  @Test("R-12 asks in order until one takes charge")
  func inOrder() {
    var machine = machine([first, second])

    #expect(machine.begin() == .ask(first))
    #expect(machine.handle(.retry(afterSeconds: 9)) == .ask(second))
    #expect(machine.handle(.tookCharge) == .settleHandedOver)
  }

  @Test("L-06 asks the same again when no answer came, before it asks another")
  func unclear() {
    var machine = machine([first, second])

    #expect(machine.handle(.unclear) == .ask(first))
    #expect(machine.unclear == first)
    #expect(machine.handle(.unclear) == .ask(second))
    #expect(machine.handle(.unclear) == .ask(second))
    #expect(machine.handle(.unclear) == .rest(seconds: 1))
    #expect(machine.unclear == second)
    #expect(machine.doubts == 0)
  }

  @Test("L-06 a refusal at the second try tells that the first did not take it either")
  func clearedUp() {
    var machine = machine([first])

    #expect(machine.handle(.unclear) == .ask(first))
    #expect(machine.handle(.retry(afterSeconds: 3)) == .rest(seconds: 1))
    #expect(machine.unclear == nil)
  }

  @Test(
    "L-06 who cannot recognise a message is not asked again at once: below, at and above the limit",
    arguments: [0, 1, 2, 3] as [Int64])
  func doubts(before: Int64) {
    var machine = machine([forgetful, first], doubts: before)

    let begun = machine.begin()
    let next = machine.handle(.unclear)

    #expect((begun == .ask(forgetful)) == (before < HandOver.doubtLimit))
    #expect((next == .ask(first)) == (before + 1 < HandOver.doubtLimit))
    #expect(machine.doubts == before + 1)
  }

  @Test("L-06 a number nobody can reach is asked for once, another provider's fault of everybody")
  func never() {
    var refused = machine([first, second])
    var elsewhere = machine([first, second])

    #expect(refused.handle(.never) == .settleFailed)
    #expect(elsewhere.handle(.otherCarrier) == .ask(second))
    #expect(elsewhere.handle(.otherCarrier) == .settleFailed)
  }

  @Test("L-06 rests as long as was asked for, and longer each round, up to fifteen seconds")
  func rests() {
    let rounds: [Int64] = [1, 2, 3, 4, 5, 6, 99]

    let rests = rounds.map { round in
      var machine = machine([first], round: round)
      return machine.handle(.retry(afterSeconds: 1))
    }
    var patient = machine([first, second])
    _ = patient.handle(.retry(afterSeconds: 120))

    #expect(rests == [1, 2, 4, 8, 15, 15, 15].map { HandOver.Step.rest(seconds: $0) })
    #expect(patient.handle(.retry(afterSeconds: 60)) == .rest(seconds: 60))
  }

  @Test("L-06 with nobody to ask it fails")
  func nobody() {
    var machine = machine([])

    #expect(machine.begin() == .settleFailed)
    #expect(machine.handle(.unclear) == .settleFailed)
  }
}
