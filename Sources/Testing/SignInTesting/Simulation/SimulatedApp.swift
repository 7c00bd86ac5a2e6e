internal import SignInEngine
internal import SignInFlow
internal import SignInModel
internal import SignInWire

/// What people at a tab can see, with any home.
enum SimulatedStage {
  case opening
  case storageUnreadable
  case atProvider
  case signedOut(TechnicianSignIn)
  case riderSignedOut(RiderSignIn)
  case locked
  case confirming(SessionID)
  case signedIn(SessionID)
}

/// The session that an app shows.
struct ShownSession {
  let id: SessionID
  let organization: String?
  let hasLock: Bool
  /// Whether the policy requires a lock.
  let needsLock: Bool
  let sheet: SessionSheet?
  let unsentCount: Int64
  /// The home of a mentor.
  let activities: ActivitiesHome?

  init<Home: AppHome>(_ signedIn: SignedIn<Home>) {
    let terms = signedIn.renewingSession.record.terms
    id = terms.id
    organization = terms.organization?.text
    needsLock = terms.needsLock
    hasLock = signedIn.hasLock
    sheet = signedIn.sheet
    unsentCount = signedIn.home.unsentCount
    activities = signedIn.home as? ActivitiesHome
  }
}

/// The app of one of the people.
protocol SimulatedApp {
  var shownStage: SimulatedStage { get }
  var shownSession: ShownSession? { get }

  mutating func effects(of event: Event, at device: Instant, steady: Int64?) -> [Effect]
}

extension AppFlow: SimulatedApp where Home.Page == PageEvent {
  var shownStage: SimulatedStage {
    switch stage {
    case .starting, .readingStorage: .opening
    case .storageUnreadable: .storageUnreadable
    case .atProvider: .atProvider
    case .signedOut(let form): (form as? TechnicianSignIn).map { .signedOut($0) } ?? .atProvider
    case .riderSignedOut(let form):
      (form as? RiderSignIn).map { .riderSignedOut($0) } ?? .atProvider
    case .locked: .locked
    case .confirming(let confirming): .confirming(confirming.renewingSession.record.terms.id)
    case .signedIn(let signedIn): .signedIn(signedIn.renewingSession.record.terms.id)
    }
  }

  mutating func effects(
    of event: Event, at device: Instant, steady: Int64?
  ) -> [SignInEngine.Effect] {
    handle(event, at: device, steady: steady).compactMap { $0.ofEngine }
  }

  var shownSession: ShownSession? {
    if case .signedIn(let signedIn) = stage { ShownSession(signedIn) } else { nil }
  }
}
