import SignInEngine
import SignInModel

/// A state that awaits some kinds of events.
///
/// It implements the functions of these kinds only. An event of another kind changes nothing and
/// causes no effect. A state implements either `handle` for all events of a page, or the functions
/// of the kinds of page events.
protocol EventHandler {
  mutating func handle(_ event: PageEvent, _ context: inout FlowContext) -> [PageEffect]
  mutating func edited(
    _ field: FieldName, _ text: Secret, _ context: inout FlowContext
  ) -> [PageEffect]
  mutating func pressed(_ button: ButtonName, _ context: inout FlowContext) -> [PageEffect]
  mutating func revealToggled()
  mutating func bannerDismissed()
  mutating func handle(_ event: StorageEvent, _ context: inout FlowContext) -> [PageEffect]
  mutating func handle(_ event: SessionEvent, _ context: inout FlowContext) -> [PageEffect]
  mutating func handle(_ event: DeviceEvent, _ context: inout FlowContext) -> [PageEffect]
  mutating func handle(_ event: HomeEvent, _ context: inout FlowContext) -> [PageEffect]
  mutating func handle(_ intent: SessionIntent, _ context: inout FlowContext) -> [PageEffect]
  mutating func answered(
    _ id: RequestID, _ answer: Answer, _ context: inout FlowContext
  ) -> [PageEffect]
  mutating func tick(_ context: inout FlowContext) -> [PageEffect]
}

extension EventHandler {
  mutating func handle(_ event: PageEvent, _ context: inout FlowContext) -> [PageEffect] {
    switch event {
    case .fieldEdited(let field, let text): return edited(field, text, &context)
    case .buttonPressed(let button): return pressed(button, &context)
    case .passwordRevealToggled: revealToggled()
    case .bannerDismissed: bannerDismissed()
    }
    return []
  }

  mutating func edited(
    _ field: FieldName, _ text: Secret, _ context: inout FlowContext
  ) -> [PageEffect] { [] }

  mutating func pressed(_ button: ButtonName, _ context: inout FlowContext) -> [PageEffect] { [] }
  mutating func revealToggled() {}
  mutating func bannerDismissed() {}

  mutating func handle(_ event: StorageEvent, _ context: inout FlowContext) -> [PageEffect] { [] }
  mutating func handle(_ event: SessionEvent, _ context: inout FlowContext) -> [PageEffect] { [] }
  mutating func handle(_ event: DeviceEvent, _ context: inout FlowContext) -> [PageEffect] { [] }
  mutating func handle(_ event: HomeEvent, _ context: inout FlowContext) -> [PageEffect] { [] }
  mutating func handle(_ intent: SessionIntent, _ context: inout FlowContext) -> [PageEffect] { [] }

  mutating func answered(
    _ id: RequestID, _ answer: Answer, _ context: inout FlowContext
  ) -> [PageEffect] { [] }

  mutating func tick(_ context: inout FlowContext) -> [PageEffect] { [] }

  /// Passes the event to the function of its kind.
  mutating func dispatch(_ event: Event, _ context: inout FlowContext) -> [PageEffect] {
    switch event {
    case .page(let event): handle(event, &context)
    case .storage(let event): handle(event, &context)
    case .session(let event): handle(event, &context)
    case .device(let event): handle(event, &context)
    case .home(let event): handle(event, &context)
    case .intent(.session(let intent)): handle(intent, &context)
    case .answered(let id, let answer): answered(id, answer, &context)
    case .ticked: tick(&context)
    // Only the app itself and the forms await these.
    case .started, .signIn, .intent(.signIn): []
    }
  }
}
