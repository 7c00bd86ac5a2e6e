/// The laws of every world, despite losses, duplicates, delays, faults and attacks.
public enum Law: String, CaseIterable, Sendable {
  case fiveWrongAnswers =
    "At most five wrong passwords or codes are compared in one failure bucket before a lockout."
  case countedBeforeAnswered =
    "A wrong answer is stored before its sender learns that it was wrong."
  case triesNotRestored =
    "Only a complete sign-in, an unlock or the end of a lockout returns tries; a resend never does."
  case ownTriesOnly =
    "A complete sign-in returns only the tries of its own device."
  case rightPasswordAccepted =
    "A right password of an active, unlocked account is never refused as wrong."
  case lockoutEnforced =
    "During a lockout no password or code of its failure bucket is compared or accepted."
  case lockoutEnds =
    "A lockout ends at the first announced time, unless further attempts failed."
  case oneLiveCode =
    "Only the newest code of an account, purpose and holder is accepted, and only for that account."
  case acceptedOnce = "A code is accepted at most once."
  case fiveMinutes = "No code is accepted 300.0 seconds after it was made, or later."
  case oneMessage = "One request records at most one message, and one message has at most one code."
  case cooldown =
    "Codes of one account, purpose and holder are a minute apart, unless one was used or not sent."
  case oneText = "The code of one challenge is never handed over in two texts."
  case oneHandOver = "A message is handed over once at most for each time it was taken up."
  case noMessageWhenLocked =
    """
    No code is sent during a lockout of its failure bucket, or to an inactive, unapproved or \
    unknown account.
    """
  case bothFactorsRequired =
    "Every sign-in needs the right password and the right code of its account."
  case activeOnly = "No session begins or continues while its account is not active."
  case resetNeedsCode =
    "A password changes only by the right code of its account's reset, or by an administrator."
  case resetEndsAll =
    "A new password ends all sessions, unfinished sign-ins and other resets of its account."
  case administratorsDecide =
    "Only an administrator changes an account's status; a registration waits for approval."
  case oneAccountEach = "One number has one account of its role, however often it registers."
  case rotationCounts = "Only the newest refresh token advances a session, by one generation."
  case oneSuccessor = "In one session, a refresh token gives the same successor every time."
  case reuseEndsSession =
    "The use of a replaced refresh token ends the session, for its owner and for a thief."
  case ownKeyOnly = "A token works only with the key of its session."
  case proofAcceptedOnce = "A proof is accepted once."
  case expiryIsFinal = "No session continues after its idle timeout or its longest lifetime."
  case endedSessionGivesNothing = "An ended session gives no data."
  case endsWithCause =
    "A session ends only by its owner, its age, an administrator, a reset or token reuse."
  case nothingIsLost = "An acknowledged change is still there after a crash."
  case logIsComplete = "The security log is one chain without a gap, despite crashes."
  case eventsLinkedOnce =
    "Each event is linked once, in the order in which its account's decisions were durable."
  case ownDevice = "A code is accepted only from the device and in the app that began its sign-in."
  case codesApart =
    "A device neither changes nor gets a code of another device that signed in before."
  case budget =
    "A holder gets at most as many unanswered messages in an hour as its app allows."
  case sameAnswerForUnknown =
    "An answer about an unknown address has the words and the form of one about a known address."
  case noOutsideCallInTransaction = "During a decision the server calls no other system."
  case contactNeedsCode =
    """
    An address or number changes only by the newest delivered code to it, an administrator, an \
    undo, or the proof of another account.
    """
  case contactGuesses =
    "At most five wrong codes for one new address or number are compared before a lockout."
  case oldContactTold =
    "The old address or number gets a link that takes the change back."
  case undoRestores =
    """
    Within seven days a link takes its change back, with every later erasure, unless another \
    account has proved the value.
    """
  case takingKeepsProofs = "No account loses an address or number that it has proved."
  case erasureIsOwn =
    "An erasure needs a request that was not cancelled, and removes only what is of its account."
  case recoversAfterFaults = "After all faults have ended, every active person can sign in."

  // MARK: Sessions on devices with unreliable storage

  case signedOutWithCause =
    "A session ends only by its person, the server, true expiry or a new install."
  case reasonIsTrue = "The reported reason for the end of a session is true."
  case ownerOnly = "Data behind a lock is shown only after its owner's proof."
  case lockedAfterBackground =
    "After the background timeout, hidden or opened again, the app shows no data."
  case signedOutStaysOut = "A session that was ended on this device is never opened again."
  case organizationsApart = "No data of one organization is shown in another."
  case noFalseReuseDetection = "A real app with lost answers or writes never counts as a thief."
  case serverIsInformed =
    "A session that was ended on this device ends at the server, sooner or later."
  case sessionsContinue = "After all faults have ended, every session continues."

  public var sentence: String { rawValue }
}

/// A violated law, with details.
public struct Violation: Equatable, Sendable {
  public let law: Law
  public let detail: String
}
