/// How the person reads texts and times.
struct PersonLocale: Equatable, Sendable {
  var preferences = LocalePreferences()
  var wallClock = WallClock()
}
