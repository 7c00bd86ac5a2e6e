/// What an event of an app leads to, in the order in which the shell runs it.
public enum AppEffect<Page: PageInput>: Equatable, Sendable {
  case engine(Effect)
  /// Only the page knows what this means.
  case page(Page.Output)
}

extension AppEffect {
  public static func report(_ report: EngineReport) -> Self { .engine(.report(report)) }

  /// The effect of the engine; `nil` if the page asks for something.
  public var ofEngine: Effect? {
    if case .engine(let effect) = self { effect } else { nil }
  }
}

extension [Effect] {
  /// The same effects in an app with pages.
  package func inApp<Page>() -> [AppEffect<Page>] { map { .engine($0) } }
}
