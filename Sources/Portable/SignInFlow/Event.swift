public import JSONText
public import SignInModel

/// What happened, in the past tense.
///
/// The time is an argument beside the event, because the core has no clock.
public enum Event: Equatable, Sendable {
  /// The app was opened.
  ///
  /// The person's local time differs from UTC by `utcOffsetSeconds`, and from each of
  /// `clockChanges` on by another number of seconds.
  ///
  /// `page` is a random name for this run of the app. It makes the idempotency keys of different
  /// runs different. `place` is the path below the address of the app that the person opened.
  /// `providers` is what the last `saveProviderMenu` stored.
  case started(
    utcOffsetSeconds: Int64, app: AppProfile = .technician, page: String = "",
    place: String = "",
    locale: LocalePreferences = LocalePreferences(), clockChanges: [WallClock.Change] = [],
    providers: String? = nil
  )
  case page(PageEvent)
  case signIn(SignInEvent)
  case storage(StorageEvent)
  case session(SessionEvent)
  case answered(RequestID, Answer)
  case ticked
  case device(DeviceEvent)
  case home(HomeEvent)
  case intent(Intent)
}

extension Event {
  /// Whether the person did something on a page of this app or of the embedding app.
  var isUse: Bool {
    switch self {
    case .page, .intent: true
    case .started, .signIn, .storage, .session, .answered, .ticked, .device, .home: false
    }
  }
}

/// What the person does on a page.
public enum PageEvent: Equatable, Sendable {
  case fieldEdited(FieldName, Secret)
  case buttonPressed(ButtonName)
  case passwordRevealToggled
  case bannerDismissed
}

/// What a sign-in waits for, besides the person and the server.
public enum SignInEvent: Equatable, Sendable {
  /// A code verifier and its S256 challenge (RFC 7636, section 4).
  case verifierMade(verifier: Secret, challenge: String)
  /// A link opened the app.
  ///
  /// It contains an invitation to choose a password.
  case invited(Secret)
  /// The browser came back from a provider.
  ///
  /// The text is the query of the address.
  case providerReturned(Secret)
}

/// What the storage of the session answers.
public enum StorageEvent: Equatable, Sendable {
  /// `seen` is what the last `saveLastSeen` stored, `pending` what `savePendingSignIn` stored, and
  /// `username` what `saveUsername` stored.
  case read(
    StorageReading, seen: Secret? = nil, pending: Secret? = nil, username: Secret? = nil)
  /// Only this app may renew the session now.
  ///
  /// The value is what storage contains at this moment.
  case renewalClaimed(StorageReading)
  /// The session could not be stored safely, so it ends with the page or the process (L-34).
  case saveFailed
  /// Storage contains this instead of the text that the core wanted to replace.
  case sessionChanged(StorageReading)
  /// Storage contained this before a new session or a revocation replaced it.
  ///
  /// It may be a session that another tab began in the meantime. Such a session must end.
  case storedSessionReplaced(StorageReading)
  /// Whether `savePendingSignIn` stored the sign-in.
  case pendingSignInSaved(Bool)
}

/// What happens to the lock of the session.
public enum SessionEvent: Equatable, Sendable {
  /// Whether this device can verify its owner.
  case lockSupportChecked(Bool)
  case lockSet
  case lockFailed(LockFailure)
  case unlocked(StorageReading)
  case unlockFailed(LockFailure)
}

/// What happens to the app from outside, independent of a form.
public enum DeviceEvent: String, Equatable, Sendable, CaseIterable {
  /// The app is no longer visible.
  case hidden
  case shown
  /// The person did something, even if they only touched the screen.
  case used = "user_active"
  /// The person did something in another tab of this app.
  case userActiveInOtherTab = "user_active_in_other_tab"
  case networkReturned = "network_returned"
}

/// Why the device did not verify its owner.
public enum LockFailure: String, Sendable, CaseIterable {
  /// The person closed the prompt, or the system did.
  case cancelled
  /// Another prompt is open, or the sensor is in use.
  ///
  /// The lock is still good.
  case busy
  /// The lock can never be opened again, because the fingerprints or faces changed, or the key was
  /// deleted.
  case changed
  /// This device has no lock of this kind.
  case impossible
}

/// Events that only a signed-in app gets, except the choice of a provider.
public enum HomeEvent: Equatable, Sendable {
  /// The button is in a row of a list, and `item` names the row.
  case itemPressed(ButtonName, item: String)
  /// The list was scrolled.
  ///
  /// `first` is the first visible row.
  case rowsShown(first: Int64)
  /// The device joined or left a network.
  ///
  /// Only a request to the server shows what this means.
  case networkChanged
  /// The person opened an address of the app.
  ///
  /// The text is the path below the address of the app, with the query.
  case placeOpened(String)
  /// What happened to the offline copy.
  case offlineCopy(OfflineCopyEvent)
  /// What `saveScreenState` stored in this session; `nil` if there is nothing.
  case screenStateRead(Secret?)
  /// The embedding app sends a request of its own; `AppFlow.takeReplies` answers it.
  case requestMade(APIRequest, ticket: Int64)
  /// The embedding app needs an access token for another server; `AppFlow.takeReplies` answers it.
  case tokenAsked(ticket: Int64)

  /// Whether the person or the embedding app did something.
  var isUse: Bool {
    switch self {
    case .itemPressed, .rowsShown, .placeOpened, .requestMade, .tokenAsked: true
    case .networkChanged, .offlineCopy, .screenStateRead: false
    }
  }
}

/// What storage answers.
///
/// `temporarilyUnreadable` is never treated as `absent`, because a locked or busy store must not
/// sign a person out (L-20). `damaged` is neither: storage was read, and reading it again gives the
/// same result.
public enum StorageReading: Equatable, Sendable {
  case value(Secret)
  case absent
  case temporarilyUnreadable
  /// There is a text, but it can never be read again (S-08).
  case damaged
  /// There is a session, sealed until the device's owner unlocks its key.
  ///
  /// `card` names the person.
  case locked(card: Secret)
}

/// The result of one request.
public enum Answer: Equatable, Sendable, CustomStringConvertible {
  /// `serverSeconds` is the `Date` of the answer, in Unix seconds.
  case received(status: Int64, body: JSON, serverSeconds: Int64?)
  /// The device reports that it has no network.
  case noNetwork
  /// The device has a network, or does not know it, and there was no answer from the server.
  case unreachable
  case timedOut

  /// Without the body, because it may contain tokens.
  public var description: String {
    switch self {
    case .received(let status, _, _): "received \(status)"
    case .noNetwork: "no network"
    case .unreachable: "unreachable"
    case .timedOut: "timed out"
    }
  }
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
  case outcome
  case kind
  case client
  /// The first and the last day of a list.
  case from
  case until
  case name
  case description
  case receiver
  case policyApp = "policy_app"
  case policyValue = "policy_value"
  /// The unit of a policy value that is a time: a `TimeUnit`.
  case policyUnit = "policy_unit"
  case role
  case organizations
  /// A level and an organization, such as `viewer:north`; `viewer:` is global, `:north` removes.
  case permissions
  /// The name, address or number that a person types before an account is erased.
  case confirmation
  /// Why an account is deactivated.
  case reason
  /// The field is on every screen, outside the forms.
  ///
  /// The text is the BCP 47 tag of a language.
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
  /// Sign in at the provider that the item names.
  case provider
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
  case dismissAccountUpdate = "dismiss_news"
  case acceptAccountUpdate = "accept_news"
  case openActivity = "open_activity"
  case openItem = "open_item"
  /// Shows or hides the entries that matter last.
  case toggleFold = "toggle_fold"
  /// The item is a status.
  case setStatus = "set_status"
  case saveNotes = "save_notes"
  case consoleTab = "console_tab"
  case openAccount = "open_account"
  /// Shows an event or a message beside its list.
  case openRecord = "open_record"
  /// Reads older events and messages of the open account.
  case readHistory = "read_history"
  /// Selects an account, or no longer.
  case toggleAccount = "toggle_account"
  /// Selects all listed accounts, or none.
  case toggleAccounts = "toggle_accounts"
  case approveSelected = "approve_selected"
  case accountAction = "account_action"
  case confirm
  case editAccount = "edit_account"
  case saveAccount = "save_account"
  case toggleOrganization = "toggle_organization"
  case newAccount = "new_account"
  /// Saves the list with its filters as a table.
  case exportList = "export_list"
  case readMore = "read_more"
  case openPolicy = "open_policy"
  case openValue = "open_value"
  case saveValue = "save_value"
  case restoreValue = "restore_value"
  case openProduct = "open_product"
  /// The item is the status of the products to show.
  case filterProducts = "filter_products"
  case raiseRequest = "raise_request"
  case sendRequest = "send_request"
  case transferOwnership = "transfer_ownership"
  case continueTransfer = "continue_transfer"
  case confirmTransfer = "confirm_transfer"
}

/// Identifies one request while the app runs.
///
/// A number is never used twice.
public struct RequestID: Hashable, Sendable {
  public let number: Int64

  public init(_ number: Int64) { self.number = number }
}

#if !hasFeature(Embedded)
  extension Answer: CustomReflectable {
    /// `dump` shows only the description.
    public var customMirror: Mirror { Mirror(self, children: []) }
  }
#endif
