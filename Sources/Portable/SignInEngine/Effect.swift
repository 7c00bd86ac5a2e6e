public import SignInModel

/// An action that the shell must run.
///
/// Effects are small and comparable, and the shell runs them in order.
public enum Effect: Equatable, Sendable {
  /// Always answered by `answered`, if only with a time-out, unless it is cancelled.
  ///
  /// The claim of a renewal lasts until then.
  case call(RequestID, Call)
  /// Answered by `verifierMade`.
  case makeVerifier
  /// Answered by `storageRead`.
  case readSession
  /// Completes before any later call starts, so that a closed page never loses a rotated token.
  case saveSession(Secret)
  /// Replaces the first text by the second one, if storage still contains the first.
  ///
  /// Another tab may have signed out or in since. Then the shell answers with `sessionChanged`.
  case replaceSession(Secret, with: Secret)
  /// Replaces the session, the lock and the other stored data of the session by the text of a
  /// pending revocation, in one step (S-04).
  case savePendingRevocation(Secret)
  /// Erases the session, the lock and the other stored data of the session, in one step.
  case eraseSession
  /// Stores when the person last used the app.
  ///
  /// The next reading of storage returns it.
  case saveLastSeen(Secret)
  /// Seals the session under a key that only the device's owner can unlock.
  ///
  /// `card` is what the app may show while it is locked. Answered by `lockSet` or `lockFailed`.
  case setLock(session: Secret, card: Secret)
  /// Seals the session in the way that is used without a lock.
  ///
  /// Answered like `saveSession`.
  case removeLock(session: Secret)
  /// Stores what the app may show while it is locked, if it has a lock.
  case saveAccountSummary(Secret)
  /// Stores where the person is in the app and what they have typed.
  ///
  /// Only the named session can read it.
  case saveScreenState(String, Secret)
  /// Answered by `screenStateRead`.
  case readScreenState(String)
  case eraseScreenState
  /// Cancels a request, because its answer has no use any more.
  case cancelCall(RequestID)
  /// Clears the unlocked key from memory.
  case lock
  /// Asks the device to verify its owner and to unlock the key.
  ///
  /// Answered by `unlocked` or `unlockFailed`.
  case unlock
  /// Erases the stored text if it is still this one, because another tab may have signed in since.
  case eraseSessionIfUnchanged(Secret)
  /// Waits until no other tab renews, then reads storage.
  ///
  /// Answered by `renewalClaimed`.
  case claimRenewal
  case releaseRenewal
  /// Stores the language that the person chose, for the next start of the app.
  case saveLanguage(Language)
  /// Stores the providers of this app, for the next start of the app.
  case saveProviderMenu(String)
  /// Stores a sign-in that a browser completes.
  ///
  /// Answered by `pendingSignInSaved`. The next reading of storage returns it.
  case savePendingSignIn(Secret)
  case erasePendingSignIn
  /// Stores the username of the last sign-in or sign-up, or erases the stored one.
  ///
  /// The next reading of storage returns it.
  case saveUsername(Secret?)
  /// Stores the lockouts that this device knows, or erases the stored ones.
  ///
  /// They remain when the session is erased or replaced. Other tabs are told. The stored text
  /// arrives as `lockoutsRead` when the session is read, when another tab has changed storage, and
  /// before each `verifierMade`.
  case saveLockouts(Secret?)
  /// Opens this path of the server in a browser.
  ///
  /// The result arrives as `providerReturned`, in this run of the app or in a later one.
  case openBrowser(String)
  /// Opens the address at which the person signs out of the identity provider.
  case openSignOutPage(String)
  case startTicking
  case stopTicking
  case report(EngineReport)
  case offlineCopy(OfflineCopyEffect)
}
