/// What holds in every world, whatever is lost, doubled, late, broken or attacked.
public enum Law: String, CaseIterable, Sendable {
  case fiveWrongAnswers =
    "Never more than five wrong secrets of one account are compared before it locks."
  case countedBeforeTold = "A wrong answer is on disk before anybody is told that it was wrong."
  case triesAreNotGivenBack =
    "Only a complete sign-in, an unlock or the end of a lock gives tries back; a resend never does."
  case ownTriesOnly =
    "A complete sign-in gives back the tries of its own device, and none that others used up."
  case rightPasswordIsHeard =
    "A right password of an active, unlocked account is never answered as a wrong one."
  case lockHolds = "Until a lock ends or is lifted nothing of its account is compared or accepted."
  case lockEnds = "A lock ends when it was first told to end, unless further answers were wrong."
  case oneLiveCode =
    "Only the newest code of an account, purpose and holder is accepted, and only for that account."
  case acceptedOnce = "A code is accepted at most once."
  case fiveMinutes = "Nothing is accepted 300.0 seconds after its code was made, or later."
  case oneMessage = "One request records at most one message, and one message is one code."
  case cooldown =
    "Codes of one account, purpose and holder are a minute apart, or one was used or not sent."
  case oneText = "The code of one challenge is never handed over under two texts."
  case oneHandOver = "A message is handed over once for each time it was taken up, at most."
  case silentWhenLocked = "A locked, inactive, unapproved or unknown account is sent nothing."
  case provedTwice =
    "Nobody is signed in without the right password and the right code of that account."
  case activeOnly = "No session begins or goes on while its account is not active."
  case resetNeedsCode =
    "A password changes only by the right code of its account's reset, or by an administrator."
  case resetEndsAll =
    "A new password leaves no session, no sign-in half done and no other reset of its account."
  case administratorsDecide =
    "Nobody but an administrator changes an account's status; who registers waits."
  case oneAccountEach = "One number is one account of its role, however often it registers."
  case rotationCounts = "Only the newest refresh token moves a session on, by one generation."
  case endsWithCause =
    "A session ends only by its owner, its age, an administrator, a reset or a token used twice."
  case nothingIsLost = "What somebody was told has happened is still so after a crash."
  case logIsWhole = "The security log is one chain with no gap, whatever crashed."
  case ownDevice = "A code is accepted only from the device and in the app its sign-in began with."
  case codesApart =
    "A device changes no code of another device that signed in before, and is sent none."
  case budget =
    "A holder is sent no more messages in an hour than its app allows, but for those answered."
  case oneForm =
    "An address that nobody has is answered in the words and the form of one that somebody has."
  case nobodyIsAsked = "While a decision is being made, nobody outside is asked for anything."
  case calmReturns = "When the storm is over, everybody who is active can sign in."

  public var sentence: String { rawValue }
}

/// A law that was broken, and how.
public struct Violation: Equatable, Sendable {
  public let law: Law
  public let detail: String
}
