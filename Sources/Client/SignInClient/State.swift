public import Foundation

extension SignInClient {
  /// What an app shows: where its person is on the way in, or in a session.
  public enum State: Equatable, Sendable {
    /// Storage has not answered yet: show neither a sign-in screen nor anything personal.
    case loading
    /// Storage cannot tell whether a session is kept, as on a locked device; `open()` reads it
    /// again.
    case storageUnavailable
    /// With the reason when a session ended otherwise than by `signOut()`.
    case signedOut(SignInError?)
    /// A code was sent: go on with `submitCode(_:)` or `resendCode()`.
    case codeRequired(Challenge)
    /// The account or the phone number is locked after too many wrong answers.
    case lockedOut(until: Date)
    /// A session is kept, and only the device's owner can open it: `unlock()`.
    case appLocked
    /// A session is kept that may have expired; the server is being asked. `open()` asks again.
    case confirming
    case signedIn(Session)
    /// Signed in, and the session ends at this moment for lack of use, unless `staySignedIn()` is
    /// called before (WCAG 2.2.1).
    case endingSoon(Session, at: Date)
  }

  /// A code that was sent, and everything a screen shows of it.
  public struct Challenge: Equatable, Sendable {
    /// Masked, such as `***-***-1234`.
    public let destination: String
    public let digits: Int
    public let expiresAt: Date
    /// From this moment `resendCode()` sends another one.
    public let resendAt: Date
    public let attemptsLeft: Int
  }

  /// A session that is open on this device.
  public struct Session: Equatable, Sendable {
    public let id: String
    public let organization: String?
    /// When it ends, however it is used.
    public let expiresAt: Date
    /// False when this device has no safe place.
    ///
    /// The session then ends with the process: tell the person.
    public let isStored: Bool
    /// Whether only the device's owner can open it after some time in the background.
    public let hasLock: Bool
    /// When the server was last heard of, while it cannot be reached.
    public let offlineSince: Date?
  }
}
