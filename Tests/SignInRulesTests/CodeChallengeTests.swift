import SignInModel
import SignInRules
import Testing

@Suite("Code challenge")
struct CodeChallengeTests {
  private let start = Instant(seconds: 1_700_000_000)

  private let place = CodeChallenge.Key(
    account: AccountID("a"), purpose: .signIn, holder: .unknownDevices)

  private func sent(
    _ id: String, mac: UInt8, inPlaceOf earlier: CodeChallenge? = nil, at now: Instant
  ) -> CodeChallenge {
    CodeChallenge.Draft(
      id: id, place: place, client: ClientID("c"), proofKeyThumbprint: "k", mac: [mac]
    ).sent(inPlaceOf: earlier, at: now, under: CodeChallenge.Policy())
  }

  @Test(
    "T-12 a code lives five minutes, to the second",
    arguments: [(299_999, true), (300_000, false), (300_001, false)] as [(Int64, Bool)]
  )
  func life(_ after: Int64, _ isLive: Bool) {
    let challenge = sent("1", mac: 1, at: start)

    #expect(challenge.isLive(at: start.adding(milliseconds: after)) == isLive)
  }

  @Test(
    "T-08 another code waits sixty seconds",
    arguments: [(59_999, true), (60_000, false), (60_001, false)] as [(Int64, Bool)]
  )
  func cooldown(_ after: Int64, _ isCoolingDown: Bool) {
    let challenge = sent("1", mac: 1, at: start)

    #expect(challenge.isCoolingDown(at: start.adding(milliseconds: after)) == isCoolingDown)
  }

  @Test("L-04 exactly one code is valid; the replaced one is remembered")
  func superseded() {
    let first = sent("1", mac: 1, at: start)
    let second = sent("2", mac: 2, inPlaceOf: first, at: start.adding(seconds: 60))
    let third = sent("3", mac: 3, inPlaceOf: second, at: start.adding(seconds: 120))

    #expect(third.supersededMACs == [[2], [1]])
    #expect(sent("4", mac: 4, inPlaceOf: third.consumed(), at: start).supersededMACs.isEmpty)
    let late = sent("5", mac: 5, inPlaceOf: first, at: start.adding(seconds: 300))
    #expect(late.supersededMACs == [[1]], "its message can arrive after its end")
  }

  @Test("R-06 superseded, replaced and expired are told apart at every moment")
  func verdicts() {
    let second = sent(
      "2", mac: 2, inPlaceOf: sent("1", mac: 1, at: start), at: start.adding(seconds: 60))
    func verdict(
      _ isEarlierCode: Bool, key: String? = nil, after seconds: Int64
    ) -> CodeChallenge.Verdict {
      second.verdict(
        forClient: second.client, proofKeyThumbprint: key ?? second.proofKeyThumbprint,
        isEarlierCode: isEarlierCode, at: start.adding(seconds: seconds))
    }

    for seconds in [60, 299, 300, 359] as [Int64] {
      #expect(verdict(true, after: seconds) == .superseded, "\(seconds)")
      #expect(verdict(false, after: seconds) == .compare, "\(seconds)")
    }
    for isEarlierCode in [true, false] {
      #expect(verdict(isEarlierCode, after: 360) == .expired)
      for seconds in [60, 359, 360] as [Int64] {
        #expect(verdict(isEarlierCode, key: "other", after: seconds) == .replaced)
      }
    }
  }

  @Test("The number of remembered codes is limited")
  func bounded() {
    var challenge = sent("0", mac: 0, at: start)
    for number in 1...20 as ClosedRange<UInt8> {
      challenge = sent("\(number)", mac: number, inPlaceOf: challenge, at: start)
    }

    #expect(challenge.supersededMACs.count == CodeChallenge.supersededLimit)
  }

  @Test("L-39 a used code is invalid; a code stays with its device under another holder")
  func consumedAndHeld() {
    let challenge = sent("1", mac: 1, at: start)
    let held = challenge.held(by: .knownDevice("k"))

    #expect(challenge.consumed().isLive(at: start) == false)
    #expect(
      held.place == .init(account: AccountID("a"), purpose: .signIn, holder: .knownDevice("k")))
    #expect(held.held(by: .unknownDevices) == challenge)
    #expect(challenge.consumed().held(by: .knownDevice("k")).isConsumed)
    #expect(held.belongs(toClient: ClientID("c"), proofKeyThumbprint: "k"))
    #expect(held.belongs(toClient: ClientID("c"), proofKeyThumbprint: "other") == false)
    #expect(held.belongs(toClient: ClientID("other"), proofKeyThumbprint: "k") == false)
  }
}

@Suite("Refresh rotation")
struct RefreshRotationTests {
  @Test(
    "L-10 generations are counted and not timed",
    arguments: [
      (5, .advance(to: 6)), (4, .repeatSuccessor(5)), (3, .reuse),
      (0, .reuse), (6, .unknown), (-1, .unknown),
    ] as [(Int64, RefreshRotation.Verdict)]
  )
  func verdicts(_ presented: Int64, _ verdict: RefreshRotation.Verdict) {
    #expect(RefreshRotation.verdict(presented: presented, newest: 5) == verdict)
  }
}
