/// A defect put into a simulated server on purpose.
///
/// A law that never detects a defect may be broken.
public enum PlantedDefect: String, CaseIterable, Sendable {
  /// One of four writes of a failure counter is lost.
  case failureCountLost
  /// Answers are compared before they are counted.
  case comparedBeforeCounted
  /// A resend resets the counter.
  case resendResetsCounter
  /// A complete sign-in clears the failures of all devices.
  case signInClearsAllDevices
  /// One of ten right passwords is treated as wrong.
  case rightPasswordRefused
  /// A lockout is stored in the memory of the process only.
  case lockoutInMemoryOnly
  /// A lockout starts again at every attempt during it.
  case lockoutRestartedByAttempts
  /// A crash leaves lockouts without an end.
  case lockoutWithoutEndAfterCrash
  /// Locked accounts get messages.
  case messageToLockedAccount
  /// The server's clock is a second slow when codes are checked.
  case clockOneSecondLate
  /// A new code does not replace the older one.
  case earlierCodeStaysValid
  /// An accepted code stays valid.
  case codeAcceptedTwice
  /// Every password is accepted.
  case everyPasswordAccepted
  /// Every code is accepted.
  case everyCodeAccepted
  /// A request records its message twice.
  case messageRecordedTwice
  /// Another code is sent without the cooldown.
  case resendWithoutCooldown
  /// The outbox hands over every message twice.
  case messageHandedOverTwice
  /// A repeated hand-over has another code.
  case otherCodeOnRetry
  /// A crash loses the last acknowledged transactions.
  case acknowledgedTransactionLost
  /// A sign-out is acknowledged and not recorded.
  case signOutNotRecorded
  /// A repeated request after a lost refresh answer counts as theft.
  case retryTakenForReuse
  /// A refresh advances the session by two generations.
  case generationSkipped
  /// The session of a deactivated account stays usable.
  case deactivatedAccountKeepsSession
  /// Every reset code is accepted.
  case everyResetCodeAccepted
  /// An accepted reset code can set another password.
  case resetCodeAcceptedTwice
  /// A reset request resets its counter.
  case resetRequestResetsCounter
  /// A new password does not end the sessions of the old one.
  case resetKeepsSessions
  /// A new password does not end sign-ins that the old one began.
  case resetKeepsSignInAttempts
  /// Messages to decoys are handed over.
  case decoyMessageSent
  /// A registration is approved at once.
  case registrationApprovedAtOnce
  /// A repeated registration of a number creates another account.
  case secondAccountForNumber
  /// An account without approval gets a code.
  case codeSentBeforeApproval
  /// A deactivation is acknowledged and not recorded.
  case deactivationNotRecorded
  /// An unlock or a reset ignores answers that are being compared.
  case unlockIgnoresComparisons
  /// A code is accepted from any device.
  case codeAcceptedFromAnyDevice
  /// A right password moves the open code to its device.
  case passwordMovesCode
  /// A code for an unknown device replaces those of known devices.
  case unknownDeviceReplacesCode
  /// Messages to a number are not counted.
  case sentMessagesNotCounted
  /// An answer shows that an account does not exist.
  case unknownAccountRevealed
  /// The provider of messages is called before the transaction is durable.
  case messengerCalledBeforeCommit
  /// One of twenty events is missing from the log.
  case eventMissingFromLog

  /// The law that must detect it.
  public var law: Law {
    switch self {
    case .failureCountLost: .countedBeforeAnswered
    case .comparedBeforeCounted, .unlockIgnoresComparisons: .fiveWrongAnswers
    case .resendResetsCounter, .resetRequestResetsCounter: .triesNotRestored
    case .signInClearsAllDevices: .ownTriesOnly
    case .rightPasswordRefused: .rightPasswordAccepted
    case .lockoutInMemoryOnly: .lockoutEnforced
    case .lockoutRestartedByAttempts: .lockoutEnds
    case .lockoutWithoutEndAfterCrash: .recoversAfterFaults
    case .messageToLockedAccount, .codeSentBeforeApproval, .decoyMessageSent: .noMessageWhenLocked
    case .clockOneSecondLate: .fiveMinutes
    case .earlierCodeStaysValid: .oneLiveCode
    case .codeAcceptedTwice, .resetCodeAcceptedTwice: .acceptedOnce
    case .everyPasswordAccepted, .everyCodeAccepted: .bothFactorsRequired
    case .messageRecordedTwice: .oneMessage
    case .resendWithoutCooldown: .cooldown
    case .messageHandedOverTwice: .oneHandOver
    case .otherCodeOnRetry: .oneText
    case .acknowledgedTransactionLost, .signOutNotRecorded, .deactivationNotRecorded: .nothingIsLost
    case .everyResetCodeAccepted: .resetNeedsCode
    case .resetKeepsSessions, .resetKeepsSignInAttempts: .resetEndsAll
    case .registrationApprovedAtOnce: .administratorsDecide
    case .secondAccountForNumber: .oneAccountEach
    case .retryTakenForReuse: .endsWithCause
    case .generationSkipped: .rotationCounts
    case .deactivatedAccountKeepsSession: .activeOnly
    case .codeAcceptedFromAnyDevice, .passwordMovesCode: .ownDevice
    case .unknownDeviceReplacesCode: .codesApart
    case .sentMessagesNotCounted: .budget
    case .unknownAccountRevealed: .sameAnswerForUnknown
    case .messengerCalledBeforeCommit: .noOutsideCallInTransaction
    case .eventMissingFromLog: .logIsComplete
    }
  }
}
