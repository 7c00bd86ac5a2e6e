/// This run of the app, as the shell has described it.
struct AppRun: Equatable, Sendable {
  var profile = AppProfile.technician
  /// A random name that no other run and no other tab has.
  var page = ""
  /// Whether this device can verify its owner; `nil` until the shell has said so.
  var isLockPossible: Bool?
  var opened = OpenedAddress()
}
