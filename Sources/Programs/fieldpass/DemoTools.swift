import SignInHTTP
import SignInModel
import SignInService
import SignInWire
import SystemPorts
import TextMessengers

/// The actions of the development routes.
struct DemoTools: DevelopmentTools {
  let inbox: InboxMessenger
  let clock: MachineClock
  let world: World
  let practice: PracticeServer?

  init(
    _ inbox: InboxMessenger, _ clock: MachineClock, _ world: World, _ practice: PracticeServer?
  ) {
    self.inbox = inbox
    self.clock = clock
    self.world = world
    self.practice = practice
  }

  func messages(to recipient: Recipient?, kind: OutboxMessage.Kind) async -> [InboxMessage] {
    let places = kind == .notice ? await mailboxes(beside: recipient) : []
    let received =
      places.isEmpty
      ? inbox.messages(to: recipient)
      : places.flatMap { inbox.messages(to: $0) }.sorted { $0.receivedAt > $1.receivedAt }
    return received.filter { $0.kind == kind }.map {
      InboxMessage(to: $0.to, text: $0.text, code: $0.code, sentAt: $0.receivedAt)
    }
  }

  /// A phone number and the e-mail addresses of its accounts.
  ///
  /// Empty if the recipient is not a phone number.
  private func mailboxes(beside recipient: Recipient?) async -> [Recipient] {
    guard let phone = recipient?.phone else { return [] }
    let found: ListPage<AccountEntry, ListCursor>
    do throws(Refusal) {
      found = try await listAccounts(
        AccountQuery(phone.e164), try PageRequest(), rules: .operatorCommand, in: world)
    } catch {
      return []
    }
    var places: [Recipient] = [.phone(phone)]
    for entry in found.entries where entry.phone == phone.e164 {
      guard let text = entry.email else { continue }
      do throws(Malformed) { places.append(try Recipient(parsing: text)) } catch { continue }
    }
    return places
  }

  func advanceClock(seconds: Int64) -> Instant {
    clock.advance(seconds: seconds)
    return clock.now()
  }

  func makeAccounts(count: Int) async -> Int {
    do throws(Refusal) { return try await makeLoadAccounts(count: count, in: world) } catch {
      return 0
    }
  }
}
