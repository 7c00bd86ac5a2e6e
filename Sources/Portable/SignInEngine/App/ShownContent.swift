public import SignInModel

/// A question over all other content, which the person must answer first.
public enum SessionSheet: Equatable, Sendable {
  case lockOffered
  /// The session ends at this moment, unless the person says that they are there (WCAG 2.2.1).
  case idleWarning(until: Instant)
  /// The person leaves, and changes that are not sent would be lost.
  case unsentChanges(Departure)
}

/// What a signed-in person sees over the home screen, or instead of it.
struct ShownContent<Sessions: AccountPage>: Equatable, Sendable {
  var notice: Notice?
  var isMenuOpen = false
  var sheet: SessionSheet?
  /// The page with the sessions, which replaces the home screen while it is open.
  var sessions: Sessions?
  /// A place that the app does not have, while the page says so.
  var unknownPlace: String?

  /// Whether Back closes the page with the sessions, and no form on it.
  var canCloseSessions: Bool { sessions.map { $0.openForm == nil } ?? false }

  var isWarning: Bool {
    if case .idleWarning? = sheet { true } else { false }
  }

  /// Returns to the home screen.
  mutating func closePages() { (sessions, unknownPlace) = (nil, nil) }

  /// Closes all, because another session replaced this one.
  ///
  /// The notice remains, because it may say so.
  mutating func close() {
    closePages()
    (sheet, isMenuOpen) = (nil, false)
  }

  mutating func say(_ reason: Notice) -> [Effect] {
    notice = reason
    return [.report(.notice(reason))]
  }

  /// Warns that the session ends at this moment; `nil` ends the warning.
  mutating func warn(of end: Instant?) -> [Effect] {
    guard let end else {
      if isWarning { sheet = nil }
      return []
    }
    let isNew = !isWarning
    sheet = .idleWarning(until: end)
    return isNew ? [.report(.idleWarning(until: end))] : []
  }
}

extension SignedIn {
  public typealias Sheet = SessionSheet

  public var notice: Notice? { shown.notice }
  public var isMenuOpen: Bool { shown.isMenuOpen }
  public var sheet: SessionSheet? { shown.sheet }
  /// The page with the sessions; `nil` while it is closed.
  public var sessions: Home.Sessions? { shown.sessions }
  /// The opened place that the app does not have; `nil` if there is none.
  public var unknownPlace: String? { shown.unknownPlace }
}
