public import JSONText
public import SignInModel
public import SignInWire

/// An action that the shell must run.
///
/// Effects are small and comparable, and the shell runs them in order.
public enum Effect: Equatable, Sendable {
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
  /// Opens this path of the server in a browser.
  ///
  /// The result arrives as `providerReturned`, in this run of the app or in a later one.
  case openBrowser(String)
  /// Opens the address at which the person signs out of the identity provider.
  case openSignOutPage(String)
  case startTicking
  case stopTicking
  case announce(Announcement)
  case offlineCopy(OfflineCopyEffect)
}

/// One HTTP request to the server.
public struct Call: Equatable, Sendable {
  public enum Method: String, Sendable {
    case get = "GET"
    case post = "POST"
    case patch = "PATCH"
    case delete = "DELETE"
  }

  /// What the request contains to prove its sender (RFC 9449).
  public enum Authorization: Equatable, Sendable {
    case none
    case proof
    case proofWithToken(Secret)
  }

  public enum Body: Equatable, Sendable, CustomStringConvertible {
    case none
    case form(Form)
    case json(JSON)

    /// Without the values, because they may be passwords and codes.
    public var description: String {
      switch self {
      case .none: "none"
      case .form(let form): form.fields.map { $0.name }.joined(separator: "&")
      case .json: "JSON"
      }
    }
  }

  public let method: Method
  public let path: String
  public let body: Body
  public let authorization: Authorization
  public let idempotencyKey: String?
  public var ifMatch: String?
  /// The name of the file that the shell saves the body of a successful answer as.
  ///
  /// The core then gets an answer without a body.
  public var fileName: String?
  /// The longest time to wait for the answer, in seconds.
  public internal(set) var timeoutSeconds: Int64
  /// The best estimate of the server's time, in Unix seconds: the `iat` of the proof.
  public var issuedAt: Int64 = 0

  public static func post(
    _ endpoint: Endpoint, _ form: Form, _ authorization: Authorization
  ) -> Call {
    Call(
      method: .post, path: endpoint.path, body: .form(form), authorization: authorization,
      idempotencyKey: nil, timeoutSeconds: APIRequest.usualTimeoutSeconds
    )
  }

  /// A request without a token: it checks that the server answers, or reads public information.
  static func probe(_ endpoint: Endpoint, seconds: Int64) -> Call {
    Call(
      method: .get, path: endpoint.path, body: .none, authorization: .none, idempotencyKey: nil,
      timeoutSeconds: seconds
    )
  }

  /// Reads the server's public information about an app: an `AppEntry`.
  public static func publicInformation(about app: AppProfile) -> Call {
    probe(.app(Endpoint.Segment(app.clientID)), seconds: APIRequest.usualTimeoutSeconds)
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

/// What a screen reader says.
public enum Announcement: Equatable, Sendable {
  case signingIn
  case checkingCode
  case sendingNewCode
  case updatingJobs
  /// The person requested newer data, and it could not be read.
  ///
  /// The existing copy remains.
  case refreshFailed
  case takingLong
  case takingVeryLong
  case notice(Notice)
  case emailMalformed
  case codeSent(destination: String)
  case newCodeSent(destination: String)
  case codeRefused(attemptsLeft: Int64?)
  /// The delivery status of the message with the code.
  case delivery(DeliveryUpdate)
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
  case passwordRefused(PasswordFault)
  case currentPasswordWrong
  case nameMalformed
  case countryRefused
  case registering
  case registered(number: String)
  /// The fields that are empty, in their order on the screen.
  case fieldsMissing([FieldName])
  /// The person typed fewer digits than the code has.
  case codeIncomplete(digits: Int64)
  case console(ConsoleAnnouncement)
  case productsListed(Int64)
  case updatingProducts
  case offlineMode
  case onlineAgain
  case needsConnection
  case sendingRequest
  case transferring
  case productFormRefused(ProductForm.Mistake)
  case statusNoteRefused(StatusQuestion.Mistake)
  case accountUpdate(AccountUpdateItem)
}

/// What a banner says.
public enum Notice: Equatable, Sendable {
  case invalidCredentials
  case accountDeactivated
  case codeRefused
  /// The device has no network (T-07).
  case noConnection
  /// The device has a network, but the server cannot be reached (P-03).
  case serviceUnreachable
  case noAnswerInTime
  /// The server answered with a fault, or with an answer that cannot be read (P-03).
  case serverFault
  case serviceBusy
  case rateLimited(until: Instant)
  case codeTooSoon(until: Instant)
  case deliveryFailed(until: Instant)
  case signInExpired
  case signsInElsewhere
  /// About a sign-in at the provider of `FlowContext.providerLabel`.
  case atProvider(ProviderNotice)
  case newCodeSent
  case sessionEnded
  case signedOut
  /// About the session, or about its app lock.
  case session(SessionNotice)
  case sessionNotKept
  case notRegistered
  case passwordChanged
  case passwordMaybeChanged
  /// An invited person has set the first password.
  case passwordSaved
  case invitationOver
  case resetExpired
  /// The new password takes effect at this moment, unless it is cancelled before.
  case passwordPending(until: Instant)
  case resetByAdministrator
  case registrationClosed
  case copyNotStored
  case requestSent
  case productTransferred
  case productGone
}

/// What a banner says about a sign-in at a provider.
public enum ProviderNotice: Equatable, Sendable, CaseIterable {
  /// The person cancelled there, or the provider refused the person.
  case cancelled
  /// The person came back without a result.
  case interrupted
  case unavailable
  case misconfigured
  /// The answer of the provider did not pass a check.
  case untrusted
  case notRegistered
  case accountExists
  case wrongRole
  /// A code is needed, and the account has no phone number.
  case phoneMissing
  /// The result does not belong to a sign-in of this device.
  case unknown
  /// There is no safe place to store the sign-in while the browser is open.
  case notStored
}

/// What a banner says about the session or about its app lock.
public enum SessionNotice: Equatable, Sendable {
  /// A link with an invitation opened the app while a person was signed in.
  case invitationWaits
  case signedOutElsewhere
  /// The session that this device stored can never be read again.
  case damaged
  case revoked
  case unsafe
  case passwordChangedElsewhere
  /// The account is locked until this moment.
  ///
  /// The session can be used again after that.
  case lockedOut(until: Instant)
  /// The person did nothing for longer than the organization allows.
  case idleTooLong
  /// The app was hidden for longer than allowed, and without a lock the device cannot verify the
  /// person.
  case awayTooLong
  /// The fingerprints or faces that the device knows have changed.
  case lockChanged
  case lockSet
  case lockRemoved
  case lockNotSet
  /// The organization requires an app lock, and this device has none.
  case lockImpossible
  case unlockCancelled
  case unlockBusy
  /// The person has ended a session on another device.
  case ended
  case notAMember
  case notesSaved
  case statusSaved
  /// The new status is sent when the network returns.
  case statusUnsent
  /// The person has cancelled a new password that had not taken effect.
  case newPasswordCancelled
  /// The person has accepted a number or an address of an identity provider.
  case contactChanged
  /// The person has changed the password in this app.
  case passwordSet
  /// The person tried to change the password and got no answer, so it may have been changed.
  case passwordMaybeSet

  var changesWithTime: Bool {
    switch self {
    case .lockedOut: true
    case .invitationWaits, .signedOutElsewhere, .damaged, .revoked, .unsafe,
      .passwordChangedElsewhere, .idleTooLong, .awayTooLong, .lockChanged, .lockSet, .lockRemoved,
      .lockNotSet, .lockImpossible, .unlockCancelled, .unlockBusy, .ended, .notAMember, .notesSaved,
      .statusSaved, .statusUnsent,
      .newPasswordCancelled, .contactChanged,
      .passwordSet, .passwordMaybeSet:
      false
    }
  }
}

/// The place on the screen that gets the keyboard focus.
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
  case record
  case approveSelected = "approve_selected"
  case question
  case policy
  case editor
  case policyValue = "policy_value"
  case organizations
  case permissions
  case description
  case receiver
}

/// Moves the keyboard focus.
///
/// The shell does it once for each new `serial`.
public struct FocusRequest: Equatable, Sendable {
  public let target: FocusTarget
  public let serial: Int64
}

#if !hasFeature(Embedded)
  extension Call.Body: CustomReflectable {
    /// `dump` shows only the description.
    public var customMirror: Mirror { Mirror(self, children: []) }
  }
#endif
