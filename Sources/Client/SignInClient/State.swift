public import Foundation

extension SignInClient {
  /// What the app should show: a step of the sign-in, or a session.
  public enum State: Equatable, Sendable {
    /// The storage has not answered yet.
    ///
    /// Show neither a sign-in screen nor personal data.
    case loading
    /// The storage cannot be read now, for example on a locked device.
    ///
    /// `open()` reads it again.
    case storageUnavailable
    /// Signed out.
    ///
    /// The error is the reason, unless the person called `signOut()` or never signed in.
    case signedOut(SignInError?)
    /// A code was sent.
    ///
    /// Continue with `submitCode(_:)` or `resendCode()`.
    case codeRequired(Challenge)
    /// The person continues at their identity provider.
    ///
    /// Open this address in the system's browser. When the browser comes back to your app,
    /// continue with `resume(_:)`.
    case browserRequired(URL)
    /// The account or the phone number is locked after too many wrong answers.
    case lockedOut(until: Date)
    /// There is a session, but only the device's owner can open it with `unlock()`.
    case appLocked
    /// There is a session that may have expired, and the server is checking it.
    ///
    /// `open()` tries again.
    case confirming
    case signedIn(Session)
    /// Signed in, but the session ends at this time because it is not used.
    ///
    /// Call `staySignedIn()` before to continue the session (WCAG 2.2.1).
    case endingSoon(Session, at: Date)
  }

  /// A code that was sent, and everything that a screen shows about it.
  public struct Challenge: Equatable, Sendable {
    /// Masked, such as `***-***-1234`.
    public let destination: String
    public let digits: Int
    public let expiresAt: Date
    /// The earliest time at which `resendCode()` can send another code.
    public let resendAt: Date
    public let attemptsLeft: Int
  }

  /// The session on this device.
  public struct Session: Equatable, Sendable {
    public let id: String
    /// The account of the person who is signed in, the same as `Account.id`.
    ///
    /// It is known without a network. It is `nil` until the server has sent the account, if an
    /// earlier version of this package stored the session or if the sign-in gave no readable ID
    /// token.
    public let accountID: String?
    public let organization: String?
    /// When the session ends, even if it is used.
    public let expiresAt: Date
    /// Whether the session is stored.
    ///
    /// It is `false` if this device has no secure storage.
    ///
    /// The session then ends with the process, so inform the person.
    public let isStored: Bool
    /// Whether the app locks after some time in the background, until the device's owner opens it.
    public let hasAppLock: Bool
    /// When the last answer of the server arrived.
    ///
    /// It is `nil` while the server can be reached.
    public let offlineSince: Date?
  }
}
