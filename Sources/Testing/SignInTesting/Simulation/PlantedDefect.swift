/// A defect put into a simulated server on purpose: laws that never find one may be blind.
public enum PlantedDefect: String, CaseIterable, Sendable {
  /// One write of a failure counter in four is forgotten.
  case forgottenFailures
  /// Answers are compared before they are counted, not after.
  case lateCounting
  /// A resend opens the counter again.
  case resendGivesTries
  /// A complete sign-in takes back what every device failed.
  case forgivingSignIn
  /// One right password in ten is taken for a wrong one.
  case deafness
  /// A lock is kept in the memory of the process.
  case forgetfulLock
  /// A lock begins anew whenever somebody runs into it.
  case renewedLock
  /// A crash leaves locks behind that do not end.
  case endlessLock
  /// Locked accounts are sent messages.
  case chattyLock
  /// The server's clock runs a second late where codes are checked.
  case lateClock
  /// A new code does not take the place of the older one.
  case olderCodeStays
  /// An accepted code stays live.
  case unconsumedCode
  /// Every password is right.
  case anyPassword
  /// Every code is right.
  case anyCode
  /// A request records its message twice.
  case doubledMessage
  /// Whoever asks for another code at once gets it.
  case hastyResend
  /// The outbox hands every message over twice.
  case doubleHandOver
  /// A repeated hand-over carries another code.
  case secondText
  /// A crash forgets the last transactions although they were acknowledged.
  case lostTransaction
  /// Signing out is answered and not recorded.
  case forgottenSignOut
  /// A lost refresh answer, asked for again, is taken for theft.
  case impatientRotation
  /// A refresh moves the session on by two generations.
  case skippedGeneration
  /// The session of a deactivated account is still used.
  case wakefulSession
  /// Every code of a reset is right.
  case anyResetCode
  /// The code of a reset that was accepted sets another password.
  case unconsumedResetCode
  /// Asking for a reset opens its counter again.
  case resetGivesTries
  /// A new password leaves the sessions of the old one.
  case resetSparesSessions
  /// A new password leaves sign-ins that the old one began.
  case resetSparesSignIns
  /// Messages that were to stay are handed over.
  case leavingDecoy
  /// Who registers is let in at once.
  case selfApproval
  /// A number that registers again gets another account.
  case doubledAccount
  /// Who is not approved is sent a code.
  case chattyRegistration
  /// A deactivation is answered and not recorded.
  case forgottenDecision
  /// An unlock or a reset opens an account without regard to answers that are being compared.
  case heedlessOpening
  /// A code is accepted from whichever device sends it.
  case anyDevice
  /// A right password moves the open code to the device that gave it.
  case movedCode
  /// A code for an unknown device replaces those of the known ones.
  case sharedCode
  /// What was sent to a number is not remembered.
  case forgottenBudget
  /// Who has no account is told so.
  case tellingAnswer
  /// The provider of messages is asked before the transaction is durable.
  case hastyProvider
  /// One event in twenty is missing from the log.
  case forgottenEvent

  /// The law that must find it.
  public var law: Law {
    switch self {
    case .forgottenFailures: .countedBeforeTold
    case .lateCounting, .heedlessOpening: .fiveWrongAnswers
    case .resendGivesTries, .resetGivesTries: .triesAreNotGivenBack
    case .forgivingSignIn: .ownTriesOnly
    case .deafness: .rightPasswordIsHeard
    case .forgetfulLock: .lockHolds
    case .renewedLock: .lockEnds
    case .endlessLock: .calmReturns
    case .chattyLock, .chattyRegistration, .leavingDecoy: .silentWhenLocked
    case .lateClock: .fiveMinutes
    case .olderCodeStays: .oneLiveCode
    case .unconsumedCode, .unconsumedResetCode: .acceptedOnce
    case .anyPassword, .anyCode: .provedTwice
    case .doubledMessage: .oneMessage
    case .hastyResend: .cooldown
    case .doubleHandOver: .oneHandOver
    case .secondText: .oneText
    case .lostTransaction, .forgottenSignOut, .forgottenDecision: .nothingIsLost
    case .anyResetCode: .resetNeedsCode
    case .resetSparesSessions, .resetSparesSignIns: .resetEndsAll
    case .selfApproval: .administratorsDecide
    case .doubledAccount: .oneAccountEach
    case .impatientRotation: .endsWithCause
    case .skippedGeneration: .rotationCounts
    case .wakefulSession: .activeOnly
    case .anyDevice, .movedCode: .ownDevice
    case .sharedCode: .codesApart
    case .forgottenBudget: .budget
    case .tellingAnswer: .oneForm
    case .hastyProvider: .nobodyIsAsked
    case .forgottenEvent: .logIsWhole
    }
  }
}
