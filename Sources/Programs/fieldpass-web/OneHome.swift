/// What this app shows once somebody is signed in.
///
/// The core of a web app holds one home, `OnlyHome`, because people with a weak network wait for
/// every byte of it.
public struct Home: Equatable, Sendable {
  private var only = OnlyHome()

  init(for app: AppName) {}

  mutating func open(_ context: inout FlowContext) -> [Effect] { only.open(&context) }

  mutating func handle(_ event: Event, _ context: inout FlowContext) -> [Effect] {
    only.handle(event, &context)
  }

  mutating func keepAnew() -> [Effect] { only.keepAnew() }

  func isFor(_ id: RequestID) -> Bool { only.isFor(id) }

  func view(_ speaker: Speaker) -> HomeView { only.view(speaker) }
}
