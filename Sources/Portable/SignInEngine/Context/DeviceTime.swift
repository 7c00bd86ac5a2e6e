import SignInModel

/// The clocks at the current event, and since when the app is hidden on them.
struct DeviceTime: Equatable, Sendable {
  var clocks = EventTime()
  private(set) var visibility = Visibility()

  /// Whether the app is hidden now, in any stage.
  var isHidden: Bool { visibility.hiddenAt != nil }

  mutating func watch(_ event: DeviceEvent) {
    switch event {
    case .hidden: visibility.hide(at: clocks.readings)
    case .shown: visibility.show()
    case .userActiveInOtherTab: restartHiddenTime()
    case .used, .networkReturned: break
    }
  }

  mutating func opened() { visibility.opened() }

  /// Marks the app as visible, because the person did something in it.
  mutating func use() { if isHidden { visibility.show() } }

  /// Restarts the hidden time, because the person was active just now although this tab is hidden.
  mutating func restartHiddenTime() { visibility.restartHiddenTime(at: clocks.readings) }
}
