import SignInHTTP
import SignInModel
import SignInService
import SignInWire
import TextMessengers

/// What the development routes do.
struct DemoTools: DevelopmentTools {
  let inbox: InboxMessenger
  let clock: MachineClock
  let world: World

  func messages(to phone: PhoneNumber?) async -> [InboxMessage] {
    inbox.messages(to: phone).map {
      InboxMessage(to: $0.to, text: $0.text, code: $0.code, sentAt: $0.receivedAt)
    }
  }

  func advanceClock(seconds: Int64) -> Instant {
    clock.advance(seconds: seconds)
    return clock.now()
  }

  func makeAccounts(count: Int) async -> Int {
    switch await makeLoadAccounts(count: count, in: world) {
    case .success(let made): return made
    case .refusal: return 0
    }
  }
}
