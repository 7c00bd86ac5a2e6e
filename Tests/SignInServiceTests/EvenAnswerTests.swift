import SignInTesting
import Testing

@testable import SignInService

@Suite("Answers at the same moment")
struct EvenAnswerTests {
  @Test("T-03 L-12 an answer waits for its moment, however soon it was made")
  func waits() async throws {
    let setting = try await TestWorld()
    var world = setting.world
    world.evenMilliseconds = 5
    let even = world
    async let answer = even.evenly { "made at once" }
    while setting.clock.sleeperCount < 1 { await Task.yield() }

    setting.clock.advance(milliseconds: 4)
    #expect(setting.clock.sleeperCount == 1, "a millisecond is missing")

    setting.clock.advance(milliseconds: 1)
    #expect(await answer == "made at once")
    #expect(setting.clock.sleeperCount == 0)
  }

  @Test("Where nothing is to be hidden, nobody waits")
  func none() async throws {
    let world = try await TestWorld().world
    #expect(await world.evenly { 1 } == 1)
  }
}
