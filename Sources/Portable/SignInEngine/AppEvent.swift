public import JSONText
public import SignInModel

/// What happened, in the past tense.
///
/// The time is an argument beside the event, because the core has no clock. `Page` is what a person
/// does on a page of the app, which the engine does not read.
public enum AppEvent<Page: PageInput>: Equatable, Sendable {
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
  case page(Page)
  case signIn(SignInEvent)
  case storage(StorageEvent)
  case session(SessionEvent)
  case answered(RequestID, Answer)
  case ticked
  case device(DeviceEvent)
  case home(Home)
  case intent(Intent)
}

extension AppEvent {
  /// What the person wants from the engine by an action on a page; `nil` for all other events.
  var pageIntent: PageIntent? {
    if case .page(let page) = self { page.intent } else { nil }
  }

  // Patterns instead of `==`, which compiles the comparison of every kind of event into each web
  // core.

  var isTick: Bool { if case .ticked = self { true } else { false } }

  func isDevice(_ kind: DeviceEvent) -> Bool {
    if case .device(kind) = self { true } else { false }
  }

  /// What the person wants of the session, on a page or by an intent.
  var sessionIntent: SessionIntent? {
    switch self {
    case .intent(.session(let intent)): intent
    case .page(let page): if case .session(let intent)? = page.intent { intent } else { nil }
    case .started, .signIn, .storage, .session, .answered, .ticked, .device, .home,
      .intent(.signIn):
      nil
    }
  }

  /// Whether the person did something on a page of this app or of the embedding app.
  var isUse: Bool {
    switch self {
    case .page, .intent: true
    case .started, .signIn, .storage, .session, .answered, .ticked, .device, .home: false
    }
  }
}

extension AppEvent {
  /// Events that only a signed-in app gets, except the choice of a provider.
  public enum Home: Equatable, Sendable {
    /// The button is in a row of a list, and `item` names the row.
    case itemPressed(Page.Button, item: String)
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
    /// The embedding app needs an access token for another server.
    ///
    /// `AppFlow.takeReplies` answers it.
    case tokenAsked(ticket: Int64)

    /// Whether the person or the embedding app did something.
    var isUse: Bool {
      switch self {
      case .itemPressed, .rowsShown, .placeOpened, .requestMade, .tokenAsked: true
      case .networkChanged, .offlineCopy, .screenStateRead: false
      }
    }
  }
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
  /// What the last `saveLockouts` of any tab stored; `nil` if there is nothing.
  ///
  /// The shell does not send it if storage cannot be read, or refused to store the lockouts.
  case lockoutsRead(Secret?)
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
  /// The body is on the device already, so the shell sent no request.
  case onDevice
  /// The device reports that it has no network.
  case noNetwork
  /// The device has a network, or does not know it, and there was no answer from the server.
  case unreachable
  case timedOut

  /// Without the body, because it may contain tokens.
  public var description: String {
    switch self {
    case .received(let status, _, _): "received \(status)"
    case .onDevice: "on the device"
    case .noNetwork: "no network"
    case .unreachable: "unreachable"
    case .timedOut: "timed out"
    }
  }
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
