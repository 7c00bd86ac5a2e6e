internal import ShellContract

/// A defect that can be planted in the shell or in the server, to prove that a law finds it.
public enum ExploredDefect: String, Sendable, CaseIterable {
  /// The shell replaces the stored session without comparing it.
  case replaceIgnoresChange
  /// Two tabs may renew at the same time.
  case renewalsOverlap
  /// The shell starts a request before the storage effect in front of it.
  case requestBeforeSave
  /// The shell does not store the revocation at a sign-out.
  case revocationNotStored
  /// The renewals of a closed tab block those of the others.
  case closedTabRenews
  /// Storage that cannot be read now looks empty.
  case unreadableLooksEmpty
  /// The server takes the repetition of a lost request for a theft.
  case lostAnswerEndsSession
  /// The server does not repeat the answer to a switch.
  case lostSwitchEndsSession
  /// The server accepts a token that was used twice.
  case oldTokenIsAccepted
  /// The shell does not send revocations.
  case revocationNotSent
  /// A renewal without an answer does not release its claim.
  case timeoutKeepsClaim

  /// The defect of the simulated shell, if it is one.
  var ofShell: SimulatedShell.Defect? { SimulatedShell.Defect(rawValue: rawValue) }
}

/// A law that every reachable state must fulfil.
public enum ExploredLaw: String, Sendable, CaseIterable {
  /// At most one open tab renews the stored session at a time (L-22).
  case oneRenewal
  /// A tab that has the claim of a renewal has a running request for it, starts one or releases the
  /// claim (L-22, decision 36).
  case claimHasRequest
  /// The server accepts the stored refresh token, unless it was stolen (L-10, L-23).
  case storedTokenIsAccepted
  /// A token is stored before a request uses its successor (L-23).
  case savedBeforeUse
  /// After a sign-out is stored, the session is never stored or opened again (L-32).
  case signedOutStaysOut
  /// A tab is signed out only if the session has ended or was signed out.
  case signedOutWithCause
  /// No data of one session is shown in another one (S-05).
  case sessionsApart
  /// The server ends no session for a theft that did not happen.
  case noFalseTheft
  /// After a theft, not both the device and the thief have accepted tokens.
  case theftEndsSession
  /// When nothing is left to do, every tab shows what storage contains.
  case tabsAgree
  /// When nothing is left to do, the server knows each sign-out of the device (S-04).
  case serverIsInformed
}
