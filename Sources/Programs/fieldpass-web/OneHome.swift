/// What this app shows once somebody is signed in.
///
/// A core with one home has it as `OnlyHome`: phones download every byte of the core.
public struct Home: Equatable, Sendable {
  private var only = OnlyHome()

  init(for app: AppName) {}

  mutating func open(_ context: inout FlowContext) -> [Effect] { only.open(&context) }

  mutating func handle(_ event: Event, _ context: inout FlowContext) -> [Effect] {
    only.handle(event, &context)
  }

  mutating func keepAnew() -> [Effect] { only.keepAnew() }

  mutating func meet(_ account: AccountAnswer) { only.meet(account) }

  func isFor(_ id: RequestID) -> Bool { only.isFor(id) }

  func view(_ speaker: Speaker) -> HomeView { only.view(speaker) }
}
