import SignInModel
import SignInService
import SignInTesting
import Synchronization
import Testing

@testable import TextMessengers

@Suite("The development inbox")
struct InboxMessengerTests {
  @Test("Messages to an erased person are removed, from the written file too")
  func forgetting() async throws {
    let clock = SimulatedClock(Instant(seconds: 1))
    let lines = Lines()
    let inbox = InboxMessenger(
      clock: clock, append: { lines.append($0) }, replace: { lines.replace($0) })
    let (one, two) = (
      Recipient.phone(try PhoneNumber(parsing: "+15550101234")),
      Recipient.email(try EmailAddress(parsing: "two@example.com"))
    )
    for (index, recipient) in [one, two, one, two].enumerated() {
      _ = try await inbox.send(
        TextMessage(
          id: "m\(index)", to: recipient, text: Secret("text \(index)"), createdAt: clock.now(),
          expiresAt: clock.now()))
    }

    inbox.forget([one])

    #expect(inbox.messages(to: one).isEmpty && inbox.messages(to: two).count == 2)
    #expect(lines.all.count == 2 && !lines.all.joined().contains("+15550101234"))
    let again = InboxMessenger(clock: clock, lines: lines.all)
    #expect(again.messages(to: two).map(\.text) == ["text 3", "text 1"])
  }

  private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func append(_ line: String) { lines.withLock { $0.append(line) } }
    func replace(_ other: [String]) { lines.withLock { $0 = other } }
  }
}
