import SignInModel
import SignInService
import SignInTesting
import Testing

@Suite("Test doubles for the ports")
struct PortDoubleTests {
  @Test("the clock moves only on request and ends pauses in their order")
  func movesClock() async {
    let clock = SimulatedClock(Instant(seconds: 100))
    let pause = Task { await clock.pause(milliseconds: 2000) }
    while clock.sleeperCount < 1 { await Task.yield() }

    clock.advance(milliseconds: 1999)
    #expect(clock.sleeperCount == 1)
    clock.advance(milliseconds: 1)

    await pause.value
    #expect(clock.sleeperCount == 0)
    #expect(clock.now() == Instant(seconds: 102))
  }

  @Test("a cancelled pause ends, whether it has begun or not")
  func cancelsPause() async {
    let clock = SimulatedClock()
    let begun = Task { await clock.pause(milliseconds: 1000) }
    while clock.sleeperCount < 1 { await Task.yield() }
    let unbegun = Task {
      while !Task.isCancelled { await Task.yield() }
      await clock.pause(milliseconds: 1000)
    }

    begun.cancel()
    unbegun.cancel()

    await begun.value
    await unbegun.value
    #expect(clock.sleeperCount == 0)
  }

  @Test("the same seed gives the same bytes, another seed gives others")
  func repeatsRandomness() {
    let first = SeededRandomness(seed: 1)
    let again = SeededRandomness(seed: 1)

    for count in [0, 1, 7, 8, 9, 32] { #expect(first.bytes(count) == again.bytes(count)) }
    #expect(first.bytes(5).count == 5)
    #expect(first.bytes(32) != first.bytes(32))
    #expect(SeededRandomness(seed: 1).bytes(8) != SeededRandomness(seed: 2).bytes(8))
  }

  @Test("a fast hash matches only its password and is counted")
  func hashesFast() async throws {
    let passwords = FastPasswordHashing()
    let first = try await passwords.hash(Secret("right"))
    let second = try await passwords.hash(Secret("right"))

    #expect(first.hasPrefix("fast$"))
    #expect(first != second)
    #expect(try await passwords.verify(Secret("right"), against: first))
    #expect(try await passwords.verify(Secret("right"), against: second))
    #expect(try await !passwords.verify(Secret("wrong"), against: first))
    #expect(try await !passwords.verify(Secret("right"), against: "right"))
    #expect(passwords.hashes == 2)
    #expect(passwords.verifications == 4)
  }

  @Test("overloaded hashing starts no work")
  func overloads() async {
    let passwords = FastPasswordHashing()
    passwords.isOverloaded = true

    let fault = PasswordHashingFault.overloaded(retrySeconds: FastPasswordHashing.retrySeconds)
    await #expect(throws: fault) { try await passwords.hash(Secret("right")) }

    #expect(passwords.hashes == 0)
  }

  @Test("the messenger records accepted messages and fails as planned")
  func records() async throws {
    let messenger = RecordingMessenger()
    let phone = try PhoneNumber(parsing: "+15550101234")
    let message = TextMessage(
      id: "1", to: .phone(phone), text: Secret("123456"), createdAt: Instant(seconds: 0),
      expiresAt: Instant(seconds: 1))
    messenger.failNext(.retry(afterSeconds: 3), .never("no such number"))

    await #expect(throws: TextMessengerFault.retry(afterSeconds: 3)) {
      _ = try await messenger.send(message)
    }
    await #expect(throws: TextMessengerFault.never("no such number")) {
      _ = try await messenger.send(message)
    }
    _ = try await messenger.send(message)

    #expect(messenger.tries == 3)
    #expect(messenger.messages.count == 1)
    #expect(messenger.lastText(to: phone) == "123456")
  }
}
