public import SignInEngine

extension AppEvent {
  /// The same event for an app without pages; `nil` for the events that no shell causes.
  public var withoutPage: AppEvent<NoPage>? {
    switch self {
    case .signIn(let event): .signIn(event)
    case .storage(let event): .storage(event)
    case .session(let event): .session(event)
    case .answered(let id, let answer): .answered(id, answer)
    case .ticked: .ticked
    case .device(let event): .device(event)
    case .home(.screenStateRead(let text)): .home(.screenStateRead(text))
    case .home(.offlineCopy(let event)): .home(.offlineCopy(event))
    case .started, .page, .home, .intent: nil
    }
  }
}
