/// How a person unlocks the app after too long in the background (S-06).
public enum UnlockMethod: String, CaseIterable, Sendable {
  case none
  case biometric
}
