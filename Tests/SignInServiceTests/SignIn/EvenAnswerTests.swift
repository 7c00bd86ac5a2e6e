import SignInTesting
import Testing

@testable import SignInService
@testable import SignInWire

@Suite("Response delay")
struct EvenAnswerTests {
  @Test("T-03 L-12 an answer that is ready early is sent at the fixed time")
  func waits() async throws {
    let setting = try await TestWorld(answerDelayMilliseconds: 5...5)
    async let answer = setting.world.withResponseDelay { "made at once" }
    while setting.clock.sleeperCount < 1 { await Task.yield() }

    setting.clock.advance(milliseconds: 4)
    #expect(setting.clock.sleeperCount == 1, "a millisecond is missing")

    setting.clock.advance(milliseconds: 1)
    #expect(try await answer == "made at once")
    #expect(setting.clock.sleeperCount == 0)
  }

  @Test("T-03 L-12 a refusal that is ready early is sent at the fixed time")
  func refusals() async throws {
    let setting = try await TestWorld(answerDelayMilliseconds: 5...5)
    async let answer = refusal(
      try await setting.world.withResponseDelay { () throws(Refusal) -> Int in
        throw Refusal(.invalidCredentials)
      })
    while setting.clock.sleeperCount < 1 { await Task.yield() }
    setting.clock.advance(milliseconds: 4)
    #expect(setting.clock.sleeperCount == 1, "a millisecond is missing")
    setting.clock.advance(milliseconds: 1)
    #expect(await answer?.code == .invalidCredentials)
  }

  @Test("T-03 L-12 the moment is drawn again each time, from the first to the last")
  func drawn() async throws {
    let setting = try await TestWorld(answerDelayMilliseconds: 5...6)
    var moments: Set<Int64> = []
    for _ in 0..<40 {
      async let answer = setting.world.withResponseDelay { 1 }
      while setting.clock.sleeperCount < 1 { await Task.yield() }
      setting.clock.advance(milliseconds: 4)
      #expect(setting.clock.sleeperCount == 1)
      setting.clock.advance(milliseconds: 1)
      moments.insert(setting.clock.sleeperCount == 0 ? 5 : 6)
      setting.clock.advance(milliseconds: 1)
      #expect(try await answer == 1)
    }
    #expect(moments == [5, 6])
  }

  @Test("Without a configured response delay, answers are not delayed")
  func none() async throws {
    let world = try await TestWorld().world
    #expect(try await world.withResponseDelay { 1 } == 1)
  }
}
