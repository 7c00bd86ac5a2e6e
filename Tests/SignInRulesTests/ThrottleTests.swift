import SignInModel
import SignInRules
import Testing

@Suite("Throttle")
struct ThrottleTests {
  let start = Instant(seconds: 1_800_000_000)

  /// A throttle with one count at each of these seconds.
  private func counted(_ seconds: [Int64], under limits: [Throttle.Limit]) -> Throttle {
    var throttle = Throttle.quiet
    for second in seconds { throttle.count(at: start.adding(seconds: second), under: limits) }
    return throttle
  }

  @Test(
    "L-16 one less than the limit is admitted, the limit and one more are not",
    arguments: [(4, false), (5, true), (6, true)]
  )
  func edge(_ count: Int, _ isRefused: Bool) {
    let limits = [Throttle.Limit.hourly(5)]

    let throttle = counted(Array(repeating: 0, count: count), under: limits)

    #expect((throttle.refusal(at: start, under: limits) != nil) == isRefused)
  }

  @Test(
    "L-16 the window ends to the millisecond",
    arguments: [(3_599_999, true), (3_600_000, false)] as [(Int64, Bool)]
  )
  func windowEnd(_ after: Int64, _ isRefused: Bool) {
    let limits = [Throttle.Limit.hourly(1)]
    let throttle = counted([0], under: limits)

    let refusal = throttle.refusal(at: start.adding(milliseconds: after), under: limits)

    #expect(refusal == (isRefused ? start.adding(seconds: 3600) : nil))
  }

  @Test("L-16 the window slides: twice the limit never passes within one window")
  func sliding() {
    let limits = [Throttle.Limit.hourly(5)]
    let throttle = counted([3000, 3100, 3200, 3300, 3400], under: limits)

    #expect(
      throttle.refusal(at: start.adding(seconds: 3601), under: limits)
        == start.adding(seconds: 6600)
    )
    #expect(throttle.refusal(at: start.adding(seconds: 6600), under: limits) == nil)
  }

  @Test("L-16 the longest wait of several limits is reported")
  func several() {
    let limits = [Throttle.Limit.hourly(2), .daily(3)]
    let throttle = counted([0, 7200, 7300], under: limits)

    let refusal = throttle.refusal(at: start.adding(seconds: 7400), under: limits)

    #expect(refusal == start.adding(seconds: Throttle.Limit.daySeconds))
    #expect(throttle.refusal(at: start.adding(seconds: 7400), under: [limits[0]]) != nil)
  }

  @Test("L-16 a count above a new, lower limit is refused until enough has left the window")
  func overfull() {
    let throttle = counted([0, 10, 20, 30], under: [.hourly(9)])

    let refusal = throttle.refusal(at: start.adding(seconds: 40), under: [.hourly(2)])

    #expect(refusal == start.adding(seconds: 3620))
  }

  @Test("L-16 a limit of zero always refuses")
  func none() {
    #expect(Throttle.quiet.refusal(at: start, under: [.daily(0)]) != nil)
  }

  @Test("A count that is taken back no longer counts, and only that count is taken back")
  func takingBack() {
    let limits = [Throttle.Limit.hourly(2)]
    var throttle = counted([0, 10], under: limits)

    throttle.removeOccurrence(countedAt: start.adding(seconds: 10))
    #expect(throttle.tallies == [Throttle.Tally(at: start, count: 1)])
    throttle.removeOccurrence(countedAt: start.adding(seconds: 10))
    #expect(throttle.tallies.count == 1)
    throttle.removeOccurrence(countedAt: start)
    #expect(throttle == .quiet)
  }

  @Test("A count outside the window is forgotten")
  func forgetting() {
    let limits = [Throttle.Limit.hourly(5)]

    let throttle = counted([0, 1, 3600], under: limits)

    #expect(throttle.tallies.map { $0.at.seconds - start.seconds } == [1, 3600])
    #expect(throttle.quietFrom(start, under: limits) == start.adding(seconds: 7200))
    #expect(Throttle.quiet.quietFrom(start, under: limits) == start)
  }

  @Test(
    "L-16 a large limit needs limited memory and never admits more than it allows",
    arguments: [Throttle.exactLimit - 1, Throttle.exactLimit, Throttle.exactLimit + 1, 5000]
  )
  func bounded(_ count: Int64) {
    let limits = [Throttle.Limit.daily(count)]
    var throttle = Throttle.quiet
    var admitted: [Int64] = []
    for minute in 0..<(3 * 24 * 60) {
      let now = start.adding(seconds: Int64(minute) * 60)
      for _ in 0..<5 where throttle.refusal(at: now, under: limits) == nil {
        throttle.count(at: now, under: limits)
        admitted.append(now.seconds)
      }
      #expect(throttle.tallies.count <= Int(Throttle.exactLimit) + 1)
    }

    for (index, second) in admitted.enumerated() where index + Int(count) < admitted.count {
      #expect(admitted[index + Int(count)] - second >= Throttle.Limit.daySeconds)
    }
    #expect(admitted.count >= 2 * Int(count))
  }

  @Test(
    "L-59 completed sign-ins raise a limit by two each, up to ten times",
    arguments: [(0, 10), (1, 12), (44, 98), (45, 100), (46, 100), (.max, 100)]
      as [(Int64, Int64)]
  )
  func raised(_ completed: Int64, _ expected: Int64) {
    let limit = Throttle.Limit.hourly(10).raised(byCompleted: completed)

    #expect(limit == Throttle.Limit.hourly(expected))
    #expect(Throttle.Limit(.max, inSeconds: 1).raised(byCompleted: .max).count == .max)
  }

  @Test("L-59 a raised limit admits until its room is used, and the wait follows its end")
  func earned() {
    let limits = [Throttle.Limit.hourly(1)]
    let earned = counted([-86_000], under: [.daily(.max)])
    let throttle = counted([0, 10, 20], under: limits)

    #expect(
      counted([0, 10], under: limits).refusal(
        at: start.adding(seconds: 20), under: limits, earned: earned) == nil)
    // The room ends at second 400, so the limit is one again when the first count leaves the hour.
    #expect(
      throttle.refusal(at: start.adding(seconds: 30), under: limits, earned: earned)
        == start.adding(seconds: 3620))
  }

  @Test("L-59 the stop of a block ends when enough sent messages have left the day")
  func conversionEnd() {
    let stop = LowConversionStop(afterSent: 2, leastPercent: 50)
    let sent = counted([0, 60, 120], under: [.daily(9)])
    let day = LowConversionStop.windowSeconds

    #expect(
      stop.end(at: start.adding(seconds: 120), sent: sent, entered: .quiet)
        == start.adding(seconds: day + 60))
    #expect(
      stop.end(
        at: start.adding(seconds: 120), sent: sent, entered: counted([60, 121], under: [.daily(9)]))
        == nil)
  }
}
