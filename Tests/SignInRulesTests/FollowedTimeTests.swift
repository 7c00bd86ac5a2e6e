import SignInModel
import SignInRules
import Testing

/// A machine with two clocks that the test moves.
private struct Machine {
  var wall: Int64 = 1_800_000_000_000
  var steady: Int64 = 5000
  var followed: SteadiedTime
  var jumps: [Int64] = []

  init() { followed = SteadiedTime(wall: wall, steady: steady) }

  var now: Int64 { followed.now(steady: steady) }

  /// Passes time and compares the clocks each second, as the server does.
  mutating func pass(seconds: Int64) {
    for _ in 0..<seconds {
      (wall, steady) = (wall + 1000, steady + 1000)
      if let jump = followed.compare(wall: wall, steady: steady) { jumps.append(jump) }
    }
  }
}

@Suite("Followed time")
struct FollowedTimeTests {
  @Test("L-15 without a jump the followed time equals the wall clock, to the millisecond")
  func exact() {
    var machine = Machine()
    for _ in 0..<1000 {
      machine.pass(seconds: 1)
      #expect(machine.now == machine.wall)
    }
    #expect(machine.jumps == [])
    #expect(machine.followed.remaining(steady: machine.steady) == 0)
  }

  @Test("L-15 a jump is reported once and shortens no wait by more than a twentieth")
  func jumpForward() {
    var machine = Machine()
    machine.pass(seconds: 10)
    let lockedUntil = machine.now + 900_000

    machine.wall += 3_600_000
    #expect(machine.now < lockedUntil)
    var waited: Int64 = 0
    while machine.now < lockedUntil {
      machine.pass(seconds: 1)
      waited += 1
    }

    #expect(machine.jumps == [3_600_000])
    #expect((855...900).contains(waited))
  }

  @Test(
    "A server that started with a wrong clock gets the right time",
    arguments: [3600, -3600] as [Int64])
  func becomesRight(seconds: Int64) {
    var machine = Machine()
    machine.pass(seconds: 5)
    machine.wall += seconds * 1000

    machine.pass(seconds: 3600 * SteadiedTime.slewDivisor + 60)

    #expect(abs(machine.now - machine.wall) <= SteadiedTime.quietMilliseconds)
    #expect(machine.jumps == [seconds * 1000])
    #expect(machine.followed.remaining(steady: machine.steady) == 0)
  }

  @Test("A slow correction is followed and is not a jump")
  func slowCorrection() {
    var machine = Machine()
    for _ in 0..<1000 {
      machine.wall += 5
      machine.pass(seconds: 1)
    }

    #expect(abs(machine.now - machine.wall) <= 2 * SteadiedTime.quietMilliseconds)
    #expect(machine.jumps == [])
  }

  @Test(
    "Small deviations are not followed",
    arguments: [
      (SteadiedTime.quietMilliseconds - 1, false), (SteadiedTime.quietMilliseconds, false),
      (SteadiedTime.quietMilliseconds + 1, true),
    ])
  func quiet(milliseconds: Int64, isFollowed: Bool) {
    var machine = Machine()
    machine.wall += milliseconds
    machine.pass(seconds: 1)

    #expect((machine.followed.remaining(steady: machine.steady) != 0) == isFollowed)
  }

  @Test(
    "The size decides between a jump and a slow correction",
    arguments: [
      (SteadiedTime.jumpMilliseconds - 1, false), (SteadiedTime.jumpMilliseconds, true),
      (SteadiedTime.jumpMilliseconds + 1, true),
    ])
  func jumpSize(milliseconds: Int64, isJump: Bool) {
    for sign in [1, -1] as [Int64] {
      var machine = Machine()
      machine.wall += sign * milliseconds
      machine.pass(seconds: 1)

      #expect(machine.jumps == (isJump ? [sign * milliseconds] : []))
    }
  }

  @Test("L-15 time continues within its bounds when the wall clock is set", arguments: 0..<50)
  func bounds(seed: UInt64) {
    var chance = seed &* 6_364_136_223_846_793_005 &+ 1
    func drawn(below limit: UInt64, _ chance: inout UInt64) -> Int64 {
      chance = chance &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int64((chance >> 33) % limit)
    }
    var machine = Machine()
    for _ in 0..<500 {
      let before = (now: machine.now, steady: machine.steady)
      let passed = drawn(below: 5000, &chance)
      machine.steady += passed
      machine.wall += passed
      if drawn(below: 4, &chance) == 0 {
        machine.wall += drawn(below: 200_000_000, &chance) - 100_000_000
      }
      if drawn(below: 2, &chance) == 0 {
        _ = machine.followed.compare(wall: machine.wall, steady: machine.steady)
      }
      let advanced = machine.now - before.now
      let share = passed / SteadiedTime.slewDivisor + 1
      #expect(machine.now >= before.now)
      #expect((passed - share...passed + share).contains(advanced))
    }
  }

  @Test("L-36 no reading of a clock can overflow")
  func extremes() {
    for wall in [Int64.min, -1, 0, .max] {
      for steady in [Int64.min, -1, 0, .max] {
        var followed = SteadiedTime(wall: wall, steady: steady)
        for (otherWall, otherSteady) in [(Int64.max, Int64.max), (.min, .min), (.max, .min)] {
          _ = followed.compare(wall: otherWall, steady: otherSteady)
          _ = followed.now(steady: otherSteady)
          _ = followed.remaining(steady: otherSteady)
        }
      }
    }
  }

  @Test("A steady clock that is read late does not set the time back")
  func lateReading() {
    var machine = Machine()
    machine.pass(seconds: 10)
    let now = machine.now

    #expect(machine.followed.now(steady: machine.steady - 500) == now)
  }
}
