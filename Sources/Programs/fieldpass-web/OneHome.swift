/// The home of this app after sign-in.
///
/// A core with one home has it as `OnlyHome`, because phones download every byte of the core.
public struct Home: Equatable, Sendable {
  private var only = OnlyHome()

  init(for app: AppName) {}

  mutating func open(_ context: inout FlowContext) -> [Effect] { only.open(&context) }

  mutating func handle(_ event: Event, _ context: inout FlowContext) -> [Effect] {
    only.handle(event, &context)
  }

  mutating func storeAgain() -> [Effect] { only.storeAgain() }

  mutating func setAccount(_ account: AccountAnswer) { only.setAccount(account) }

  func isFor(_ id: RequestID) -> Bool { only.isFor(id) }

  func view(_ localizer: Localizer) -> HomeView { only.view(localizer) }
}
