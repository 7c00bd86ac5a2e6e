import SignInWire

/// The home screen of one app: a small machine of its own.
///
/// It knows nothing of tokens. It asks for requests, gets their answers, and is opened again when
/// another person's session takes the place of this one.
protocol AppHome: Equatable, Sendable {
  init()

  mutating func open(_ context: inout FlowContext) -> [Effect]

  mutating func handle(_ event: Event, _ context: inout FlowContext) -> [Effect]

  /// Writes again what it keeps, under the key that is in force now.
  mutating func keepAnew() -> [Effect]

  /// Learns whose session it is, whenever the server has said so.
  mutating func meet(_ account: AccountAnswer)

  /// Whether it waits for this answer itself, without the session between.
  func isFor(_ id: RequestID) -> Bool
}

extension AppHome {
  mutating func keepAnew() -> [Effect] { [] }

  mutating func meet(_ account: AccountAnswer) {}

  func isFor(_ id: RequestID) -> Bool { false }
}
