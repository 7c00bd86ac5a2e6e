/// One result of an event: an effect of the engine, or an output of the page.
///
/// The shell runs the results in order.
public enum AppEffect<Page: PageInput>: Equatable, Sendable {
  case engine(Effect)
  case page(Page.Output)
}

extension AppEffect {
  public static func report(_ report: EngineReport) -> Self { .engine(.report(report)) }

  /// The effect of the engine; `nil` for an output of the page.
  public var ofEngine: Effect? {
    if case .engine(let effect) = self { effect } else { nil }
  }
}

extension [Effect] {
  /// The same effects in an app with pages.
  package func inApp<Page>() -> [AppEffect<Page>] { map { .engine($0) } }
}
