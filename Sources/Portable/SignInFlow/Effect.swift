public import JSONText
public import SignInModel
public import SignInWire

/// What the shell must do, in the imperative: small, comparable, in order.
public enum Effect: Equatable, Sendable {
  case call(RequestID, Call)
  /// Answered by `verifierMade`.
  case makeVerifier
  /// Answered by `storageRead`.
  case readSession
  /// Done before any later call starts, so that a lost page never loses a rotated token.
  case saveSession(Secret)
  /// Puts the second in place of the first, if storage still holds that one: another tab may have
  /// signed out or in since. Answered by `sessionChanged` when it holds something else.
  case replaceSession(Secret, with: Secret)
  /// Puts this in place of the session, the lock and whatever else was kept, in one step (S-04).
  case leaveTombstone(Secret)
  /// Erases the session, the lock and whatever else was kept, in one step.
  case eraseSession
  /// When the person was last seen; the next reading of storage gives it back.
  case keepSeen(Secret)
  /// Seals the session under a key that only this device's owner can free, from now on; the card
  /// is what may be shown before. Answered by `lockSet` or `lockRefused`.
  case setLock(session: Secret, card: Secret)
  /// Seals the session as it was before there was a lock. Answered like a save.
  case removeLock(session: Secret)
  /// What may be shown while the app is locked, where it has a lock.
  case keepCard(Secret)
  /// Where the person is in the app and what they have typed, readable only in the session named.
  case keepPlace(String, Secret)
  /// Answered by `placeRead`.
  case readPlace(String)
  case forgetPlace
  /// Nobody waits for the answer any more.
  case cancelCall(RequestID)
  /// Forgets the freed key.
  case lock
  /// Asks the device's owner to free the key. Answered by `unlocked` or `unlockFailed`.
  case unlock
  /// Erases what is stored if it is still this: another tab may have signed in since.
  case eraseIfStill(Secret)
  /// Waits until no other tab renews, reads storage, and answers by `renewalClaimed`.
  case claimRenewal
  case releaseRenewal
  /// The language the person chose, to be told when the app is opened again.
  case keepLanguage(Language)
  case startTicking
  case stopTicking
  case announce(Announcement)
  case shelf(ShelfEffect)
  /// The answer to a request of the embedding app's own.
  case handOver(ticket: Int64, Answer)
  /// An access token that was renewed if it was about to expire, for the embedding app.
  case handOverToken(ticket: Int64, Secret)
}

/// One request to the server.
public struct Call: Equatable, Sendable {
  public enum Method: String, Sendable {
    case get = "GET"
    case post = "POST"
    case patch = "PATCH"
    case delete = "DELETE"
  }

  /// How the request proves who sends it (RFC 9449).
  public enum Authorization: Equatable, Sendable {
    case none
    case proof
    case proofWithToken(Secret)
  }

  public enum Body: Equatable, Sendable {
    case none
    case form(Form)
    case json(JSON)
  }

  public let method: Method
  public let path: String
  public let body: Body
  public let authorization: Authorization
  public let idempotencyKey: String?
  public var ifMatch: String?
  /// The name of the file that the body of a success becomes; the answer that the core gets then
  /// has none.
  public var fileName: String?
  /// Seconds after which an answer is no longer waited for.
  public internal(set) var timeoutSeconds: Int64
  /// The server's time as best known, in Unix seconds: the proof's `iat`.
  public var issuedAt: Int64 = 0

  public static func post(_ path: String, _ form: Form, _ authorization: Authorization) -> Call {
    Call(
      method: .post, path: path, body: .form(form), authorization: authorization,
      idempotencyKey: nil, timeoutSeconds: APIRequest.usualTimeoutSeconds
    )
  }

  /// Asks without a token: whether the server answers, or what it tells every caller.
  static func probe(_ path: String, seconds: Int64) -> Call {
    Call(
      method: .get, path: path, body: .none, authorization: .none, idempotencyKey: nil,
      timeoutSeconds: seconds
    )
  }

  public var form: Form? { if case .form(let form) = body { form } else { nil } }
}

extension Call {
  init(_ apiRequest: APIRequest, token: Secret) {
    method = apiRequest.method
    path = apiRequest.path
    body = apiRequest.body
    authorization = .proofWithToken(token)
    idempotencyKey = apiRequest.idempotencyKey
    ifMatch = apiRequest.ifMatch
    fileName = apiRequest.fileName
    timeoutSeconds = apiRequest.timeoutSeconds
  }
}

/// What a person who does not look at the screen must hear.
public enum Announcement: Equatable, Sendable {
  case signingIn
  case checkingCode
  case sendingNewCode
  case updatingJobs
  /// The person asked for newer data, and it could not be read; the copy stays.
  case refreshFailed
  case takingLong
  case takingVeryLong
  case notice(Notice)
  case emailMalformed
  case codeSent(destination: String)
  case newCodeSent(destination: String)
  case codeRefused(attemptsLeft: Int64?)
  /// What became of the code's message.
  case delivery(DeliveryNews)
  case calling
  case called
  case resendPossible
  case codeExpiresSoon
  case codeExpired
  case locked(until: Instant, canReset: Bool = true)
  case lockEnded
  case appLocked
  case unlocking
  case idleWarning(until: Instant)
  case switchingOrganization
  case savingNotes
  case activitiesListed(Int64)
  case signedIn
  case jobsListed(Int64)
  case deliveriesListed(Int64)
  case sendingCode
  case numberMalformed(Country)
  case changingPassword
  case savingPassword
  case passwordRefused(PasswordReset.PasswordFault)
  case currentPasswordWrong
  case nameMalformed
  case countryRefused
  case registering
  case registered(number: String)
  case accountsListed(Int64)
  case fieldsMalformed([FieldName])
  /// The fields that are empty, in their order on the screen.
  case fieldsMissing([FieldName])
  /// Fewer digits were typed than the code has.
  case codeIncomplete(digits: Int64)
  case console(ConsoleNotice)
  case policyValueRefused(PolicyEditor.Fault)
  case accountFault(AccountEditor.Fault)
  case productsListed(Int64)
  case updatingProducts
  case offlineMode
  case onlineAgain
  case needsConnection
  case descriptionNeeded
  case sendingRequest
  case transferring
  case ownAddress
  case accountNews(AccountNewsItem)
}

/// What a banner says.
public enum Notice: Equatable, Sendable {
  case invalidCredentials
  case accountDeactivated
  case codeRefused
  /// The device has no network (T-07).
  case noConnection
  /// The device has a network, and the server cannot be reached (P-03).
  case serviceUnreachable
  case noAnswerInTime
  /// The server answered with a fault, or with something that cannot be read (P-03).
  case serverFault
  case serviceBusy
  case rateLimited(until: Instant)
  case codeTooSoon(until: Instant)
  case deliveryFailed(until: Instant)
  case signInExpired
  case signsInElsewhere
  case newCodeSent
  case sessionEnded
  case signedOut
  /// About a session, or the lock on it.
  case session(SessionNotice)
  case sessionNotKept
  case notRegistered
  case passwordChanged
  case passwordPerhapsChanged
  /// An invited person chose the first password.
  case passwordSaved
  case invitationOver
  case resetExpired
  /// The new password takes effect at this moment, unless it is cancelled.
  case passwordWaits(until: Instant)
  case resetByAdministrator
  case registrationClosed
  case shelfNotKept
  case requestSent
  case productTransferred
  case productGone
}

/// What a banner says of a session, and of the lock on it.
public enum SessionNotice: Equatable, Sendable {
  /// The app was opened with an invitation while a person is signed in.
  case invitationWaits
  case signedOutElsewhere
  /// What this device had stored of the session can never be read again.
  case damaged
  case revoked
  case unsafe
  case passwordChangedElsewhere
  /// The account is locked for a while, and its session rests with it.
  case rests(until: Instant)
  /// Nothing was done for longer than the organization allows.
  case idleTooLong
  /// The app was out of sight for longer than allowed, and this device cannot prove who is back.
  case awayTooLong
  /// The fingerprint or face this device knows is another one now.
  case lockChanged
  case lockSet
  case lockRemoved
  case lockNotSet
  /// The organization asks for a lock this device does not have.
  case lockImpossible
  case unlockCancelled
  case unlockBusy
  /// A session elsewhere was ended from here.
  case ended
  case notAMember
  case notesSaved
  /// The password that waited was cancelled.
  case newPasswordCancelled
  /// The person has changed the password here.
  case passwordSet
  /// The person asked for another password, and no answer came.
  case passwordPerhapsSet

  var changesWithTime: Bool {
    switch self {
    case .rests: true
    case .invitationWaits, .signedOutElsewhere, .damaged, .revoked, .unsafe,
      .passwordChangedElsewhere, .idleTooLong, .awayTooLong, .lockChanged, .lockSet, .lockRemoved,
      .lockNotSet, .lockImpossible, .unlockCancelled, .unlockBusy, .ended, .notAMember, .notesSaved,
      .newPasswordCancelled,
      .passwordSet, .passwordPerhapsSet:
      false
    }
  }
}

/// Where the keyboard goes next.
public enum FocusTarget: String, Sendable {
  case heading
  case email
  case password
  case code
  case phone
  case sheet
  case unlock
  case newPassword = "new_password"
  case currentPassword = "current_password"
  case name
  case account
  case question
  case policy
  case editor
  case policyValue = "policy_value"
  case organizations
  case description
  case receiver
}

/// Moves the focus once: the shell follows when `serial` changes.
public struct FocusRequest: Equatable, Sendable {
  public let target: FocusTarget
  public let serial: Int64
}
