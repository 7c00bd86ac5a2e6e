public import JSONText
public import SignInModel

/// What happened, in the past tense.
///
/// Time comes beside the event, never from a clock in here.
public enum Event: Equatable, Sendable {
  /// This app was opened; its person's clock differs from UTC by this many seconds, and after
  /// each of the changes by another number.
  ///
  /// `page` is a random name for this opening: what is asked twice is told apart by it.
  case started(
    utcOffsetSeconds: Int64, app: AppProfile = .technician, page: String = "",
    reader: Reader = Reader(), clockChanges: [WallClock.Change] = []
  )
  /// With what was last kept by `keepSeen`.
  case storageRead(StorageReading, seen: String? = nil)
  case fieldEdited(FieldName, String)
  case buttonPressed(ButtonName)
  case passwordRevealToggled
  case bannerDismissed
  /// A code verifier and its S256 challenge (RFC 7636, section 4).
  case verifierMade(verifier: Secret, challenge: String)
  case answered(RequestID, Answer)
  case ticked
  /// This app alone may renew the session now, and this is what storage holds at that moment.
  case renewalClaimed(StorageReading)
  /// There is no safe place to keep the session; it lives as long as the page does.
  case sessionSaveRefused
  case networkReturned
  case device(DeviceEvent)
  case home(HomeEvent)
}

/// What happens to the app from outside, and concerns no form.
public enum DeviceEvent: Equatable, Sendable {
  /// Nothing of the app can be seen any more.
  case hidden
  case shown
  /// The person did something, if only touch the screen.
  case used
  /// The same, in another window of this app.
  case usedElsewhere
  /// Whether this device can prove who its owner is.
  case lockPossible(Bool)
  case lockSet
  case lockRefused(LockFailure)
  case unlocked(StorageReading)
  case unlockFailed(LockFailure)
  /// What storage holds instead of what was to be replaced.
  case sessionChanged(StorageReading)
  /// What storage held where a new session or a farewell stands now: perhaps a session that another
  /// window had begun meanwhile, and which ends by that.
  case storedOver(StorageReading)
  /// The app was opened by the link of an invitation to choose a password.
  case invited(Secret)
}

/// Why the device did not prove who its owner is.
public enum LockFailure: String, Sendable, CaseIterable {
  /// The person, or the system in their place, closed the prompt.
  case cancelled
  /// Another prompt is open, or the sensor is in use: nothing is wrong.
  case busy
  /// The lock can never be opened again: another finger or face, or the key is gone.
  case changed
  /// This device has no such lock.
  case impossible
}

/// What only those who are signed in meet.
public enum HomeEvent: Equatable, Sendable {
  /// One of many alike: which one is said by `item`.
  case itemPressed(ButtonName, item: String)
  /// The list was moved: rows from this one on are in sight.
  case rowsShown(first: Int64)
  /// It joined or left a network; what that means is found out by asking the server.
  case networkChanged
  /// What became of the copy on this device.
  case shelf(ShelfEvent)
  /// What was kept by `keepPlace` in this session; nil when there is nothing.
  case placeRead(String?)
  /// The app that embeds this core asks for something of its own; answered by `handOver`.
  case requestMade(APIRequest, ticket: Int64)
  /// The app that embeds this core needs an access token for another server; answered by
  /// `handOverToken`, or by `handOver` when none can be had.
  case tokenAsked(ticket: Int64)
}

/// What storage answers.
///
/// "Cannot tell" is never "absent": a locked or busy store must not sign a person out. "Damaged" is
/// neither: the storage was read, and reading it again gives the same.
public enum StorageReading: Equatable, Sendable {
  case value(String)
  case absent
  case cannotTell
  /// There is something that can never be read again (S-08).
  case damaged
  /// There is a session, sealed until the device's owner frees its key; the card says whose.
  case locked(card: String)
}

/// What became of one request.
public enum Answer: Equatable, Sendable {
  /// `serverSeconds` is the answer's `Date`, as Unix time.
  case received(status: Int64, body: JSON, serverSeconds: Int64?)
  /// The device reports that it has no network.
  case noNetwork
  /// The device has a network, or cannot tell, and no answer came from the server.
  case unreachable
  case timedOut
}

public enum FieldName: String, Sendable, CaseIterable {
  case email
  case password
  case code
  case country
  case phone
  case notes
  case newPassword = "new_password"
  case currentPassword = "current_password"
  case search
  case status
  case name
  case description
  case receiver
  case policyApp = "policy_app"
  case policyValue = "policy_value"
  case role
  case organizations
  /// The name or address that is typed before an account is erased.
  case confirmation
  /// On every screen, in no form: the text is a language's tag.
  case language
}

public enum ButtonName: String, Sendable, CaseIterable {
  case login
  case forgotPassword = "forgot_password"
  case cancel
  case verify
  case resend
  case callInstead = "call_instead"
  case back
  case useAnotherAccount = "use_another_account"
  case tryAgain = "try_again"
  case signInAgain = "sign_in_again"
  case refresh
  case accountMenu = "account_menu"
  case signOut = "sign_out"
  case sendCode = "send_code"
  case changeNumber = "change_number"
  case signUp = "sign_up"
  case register
  case unlock
  case useAnotherWay = "use_another_way"
  case setLock = "set_lock"
  case removeLock = "remove_lock"
  case notNow = "not_now"
  case staySignedIn = "stay_signed_in"
  case whereSignedIn = "where_signed_in"
  case endSession = "end_session"
  case endOtherSessions = "end_other_sessions"
  case openPasswordChange = "open_password_change"
  case savePassword = "save_password"
  case switchOrganization = "switch_organization"
  case cancelNewPassword = "cancel_new_password"
  case dismissNews = "dismiss_news"
  case openActivity = "open_activity"
  case saveNotes = "save_notes"
  case consoleTab = "console_tab"
  case openAccount = "open_account"
  case accountAction = "account_action"
  case confirm
  case editAccount = "edit_account"
  case saveAccount = "save_account"
  case toggleOrganization = "toggle_organization"
  case newTechnician = "new_technician"
  case createTechnician = "create_technician"
  case readMore = "read_more"
  case openPolicy = "open_policy"
  case openValue = "open_value"
  case saveValue = "save_value"
  case restoreValue = "restore_value"
  case openProduct = "open_product"
  case raiseRequest = "raise_request"
  case sendRequest = "send_request"
  case transferOwnership = "transfer_ownership"
  case continueTransfer = "continue_transfer"
  case confirmTransfer = "confirm_transfer"
}

/// Names one request for as long as the app runs; a number is never used twice.
public struct RequestID: Hashable, Sendable {
  public let number: Int64

  public init(_ number: Int64) { self.number = number }
}
