/// A defect put into a simulated server or device on purpose.
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
  /// The linker of events continues after the newest event, and skips one that was durable late.
  case linkerSkipsLateEvent
  /// The server does not remember the proofs that it accepted.
  case proofsNotRemembered
  /// A refresh continues an expired session.
  case expiredSessionContinues

  // MARK: Own accounts

  /// A wrong code changes an address or a number, also if no code was sent.
  case decoyContactCodeAccepted
  /// Wrong codes for a new address or number are not counted.
  case contactGuessesNotCounted
  /// A change sends no message to the old address or number.
  case oldContactNotTold
  /// A change also takes the proved address of another account.
  case provedContactTaken
  /// An undo by a link leaves the erasures as they were.
  case undoKeepsErasure
  /// The cancellation of an erasure is acknowledged and not recorded.
  case erasureCancelIgnored

  // MARK: Sessions on devices

  /// Storage that is temporarily unreadable reports an absent session.
  case unreadableStorageSaysAbsent
  /// Storage loses acknowledged writes when the device stops.
  case acknowledgedWriteLost
  /// The parent of an unused successor counts as a stolen token.
  case unusedSuccessorTakenForReuse
  /// A sealed session opens without its owner.
  case lockedSessionOpensItself
  /// A sign-out is not reported to the server.
  case signOutNotSent
  /// The session behind a lock is forgotten after another sign-in.
  case lockedSessionNotRevoked
  /// The server always reports that a session ended by a new password.
  case endReasonAlwaysPassword
  /// Storage that failed once fails always.
  case storageFailsForever
  /// The clocks of a device stop while time jumps.
  case clocksDoNotAdvance
  /// Storage returns a session that a pending revocation replaced.
  case storageRestoresOldSession
  /// The server returns data of the other organization.
  case answersForOtherOrganization
  /// The reuse of a refresh token is reported, and the session continues.
  case reuseKeepsSession
  /// A repeated refresh gives another token than the first one.
  case repeatedRefreshGivesOtherToken
  /// A refresh token works with any key.
  case refreshWithAnyKey
  /// An access token works with any key.
  case accessWithAnyKey
  /// An access token of an ended session works until it expires.
  case endedSessionKeepsAccess
  /// An administrator's end of all sessions is acknowledged and not recorded.
  case administratorsEndNotRecorded

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
    case .acknowledgedTransactionLost, .signOutNotRecorded, .deactivationNotRecorded,
      .administratorsEndNotRecorded:
      .nothingIsLost
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
    case .linkerSkipsLateEvent: .eventsLinkedOnce
    case .proofsNotRemembered: .proofAcceptedOnce
    case .expiredSessionContinues: .expiryIsFinal
    case .decoyContactCodeAccepted: .contactNeedsCode
    case .contactGuessesNotCounted: .contactGuesses
    case .oldContactNotTold: .oldContactTold
    case .provedContactTaken: .takingKeepsProofs
    case .undoKeepsErasure: .undoRestores
    case .erasureCancelIgnored: .erasureIsOwn
    case .unreadableStorageSaysAbsent: .signedOutWithCause
    case .acknowledgedWriteLost, .unusedSuccessorTakenForReuse: .noFalseReuseDetection
    case .lockedSessionOpensItself: .ownerOnly
    case .signOutNotSent, .lockedSessionNotRevoked: .serverIsInformed
    case .endReasonAlwaysPassword: .reasonIsTrue
    case .storageFailsForever: .sessionsContinue
    case .clocksDoNotAdvance: .lockedAfterBackground
    case .storageRestoresOldSession: .signedOutStaysOut
    case .answersForOtherOrganization: .organizationsApart
    case .reuseKeepsSession: .reuseEndsSession
    case .repeatedRefreshGivesOtherToken: .oneSuccessor
    case .refreshWithAnyKey, .accessWithAnyKey: .ownKeyOnly
    case .endedSessionKeepsAccess: .endedSessionGivesNothing
    }
  }
}
