/// A state that awaits some kinds of events.
///
/// It implements the functions of these kinds only. An event of another kind changes nothing and
/// causes no effect.
protocol EventHandler {
  mutating func handle(_ event: PageEvent, _ context: inout FlowContext) -> [Effect]
  mutating func handle(_ event: StorageEvent, _ context: inout FlowContext) -> [Effect]
  mutating func handle(_ event: SessionEvent, _ context: inout FlowContext) -> [Effect]
  mutating func handle(_ event: DeviceEvent, _ context: inout FlowContext) -> [Effect]
  mutating func handle(_ event: HomeEvent, _ context: inout FlowContext) -> [Effect]
  mutating func answered(
    _ id: RequestID, _ answer: Answer, _ context: inout FlowContext
  ) -> [Effect]
  mutating func tick(_ context: inout FlowContext) -> [Effect]
}

extension EventHandler {
  mutating func handle(_ event: PageEvent, _ context: inout FlowContext) -> [Effect] { [] }
  mutating func handle(_ event: StorageEvent, _ context: inout FlowContext) -> [Effect] { [] }
  mutating func handle(_ event: SessionEvent, _ context: inout FlowContext) -> [Effect] { [] }
  mutating func handle(_ event: DeviceEvent, _ context: inout FlowContext) -> [Effect] { [] }
  mutating func handle(_ event: HomeEvent, _ context: inout FlowContext) -> [Effect] { [] }

  mutating func answered(
    _ id: RequestID, _ answer: Answer, _ context: inout FlowContext
  ) -> [Effect] { [] }

  mutating func tick(_ context: inout FlowContext) -> [Effect] { [] }

  /// Passes the event to the function of its kind.
  mutating func dispatch(_ event: Event, _ context: inout FlowContext) -> [Effect] {
    switch event {
    case .page(let event): handle(event, &context)
    case .storage(let event): handle(event, &context)
    case .session(let event): handle(event, &context)
    case .device(let event): handle(event, &context)
    case .home(let event): handle(event, &context)
    case .answered(let id, let answer): answered(id, answer, &context)
    case .ticked: tick(&context)
    // Only the app itself and the forms await these.
    case .started, .signIn: []
    }
  }
}
