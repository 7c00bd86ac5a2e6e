import EngineTesting
import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine
@testable import SignInFlow

private enum EventSamples {
  static let all = Event.makeSamples()
}

extension Event {
  /// The kinds of events, except those of fields, buttons and items, which have names of their own.
  enum Kind: String, CaseIterable {
    case started, answer, tick, reveal, dismiss, verifier, invited
    case providerReturned = "provider returned"
    case storage, claimed, refused, changed
    case storedOver = "stored over"
    case saved, lockouts
    case lockPossible = "lock possible"
    case lockSet = "lock set"
    case lockRefused = "lock refused"
    case unlocked
    case unlockFailed = "unlock failed"
    case hidden, shown, used
    case usedElsewhere = "used elsewhere"
    case network
    case rowsShown = "rows shown"
    case networkChanged = "network changed"
    case copyRead = "copy read"
    case copyWritten = "copy written"
    case place
    case placeOpened = "place opened"
    case request, token
  }

  /// One event of each kind, each field, each button, and each button in a row of a list.
  static var samples: [Event] { EventSamples.all }

  fileprivate static func makeSamples() -> [Event] {
    Kind.allCases.map(sample) + FieldName.allCases.map { .page(.fieldEdited($0, Secret("1"))) }
      + ButtonName.allCases.map { .page(.buttonPressed($0)) }
      + ButtonName.allCases.map { .home(.itemPressed($0, item: "1")) }
  }

  /// Each event that can contain a secret, with this text in each place for one.
  static func samples(with text: String) -> [Event] {
    let secret = Secret(text)
    let readings: [StorageReading] = [.value(secret), .locked(card: secret)]
    let fields = FieldName.allCases.map { Event.page(.fieldEdited($0, secret)) }
    let intents: [Event] = [
      .intent(.signIn(.submitCode(secret), ticket: 9)),
      .intent(.signIn(.setPassword(secret, code: secret), ticket: 9)),
      .intent(.signIn(.returnFromProvider(secret), ticket: 9)),
    ]
    return fields + intents + Kind.allCases.flatMap { $0.samples(secret, readings) }
  }

  private static func sample(_ kind: Kind) -> Event {
    switch kind {
    case .started: .started(utcOffsetSeconds: 0)
    case .answer: .answered(RequestID(999), .unreachable)
    case .tick: .ticked
    case .reveal: .page(.passwordRevealToggled)
    case .dismiss: .page(.bannerDismissed)
    case .verifier: .signIn(.verifierMade(verifier: Secret("v"), challenge: "c"))
    case .invited: .signIn(.invited(Secret("i")))
    case .providerReturned: .signIn(.providerReturned(Secret("q")))
    case .storage: .storage(.read(.absent))
    case .claimed: .storage(.renewalClaimed(.absent))
    case .refused: .storage(.saveFailed)
    case .changed: .storage(.sessionChanged(.temporarilyUnreadable))
    case .storedOver: .storage(.storedSessionReplaced(.temporarilyUnreadable))
    case .saved: .storage(.pendingSignInSaved(true))
    case .lockouts: .storage(.lockoutsRead(nil))
    case .lockPossible: .session(.lockSupportChecked(false))
    case .lockSet: .session(.lockSet)
    case .lockRefused: .session(.lockFailed(.cancelled))
    case .unlocked: .session(.unlocked(.absent))
    case .unlockFailed: .session(.unlockFailed(.changed))
    case .hidden: .device(.hidden)
    case .shown: .device(.shown)
    case .used: .device(.used)
    case .usedElsewhere: .device(.userActiveInOtherTab)
    case .network: .device(.networkReturned)
    case .rowsShown: .home(.rowsShown(first: 3))
    case .networkChanged: .home(.networkChanged)
    case .copyRead: .home(.offlineCopy(.read(.absent)))
    case .copyWritten: .home(.offlineCopy(.written(.done)))
    case .place: .home(.screenStateRead(nil))
    case .placeOpened: .home(.placeOpened("elsewhere"))
    case .request: .home(.requestMade(.get(.me), ticket: 9))
    case .token: .home(.tokenAsked(ticket: 9))
    }
  }

  /// The compiler requires a kind for a new event, and then a sample.
  var kind: Kind? {
    switch self {
    case .started: .started
    case .answered: .answer
    case .ticked: .tick
    case .page(let event): event.kind
    case .signIn(.verifierMade): .verifier
    case .signIn(.invited): .invited
    case .signIn(.providerReturned): .providerReturned
    case .storage(let event): event.kind
    case .session(let event): event.kind
    case .device(.hidden): .hidden
    case .device(.shown): .shown
    case .device(.used): .used
    case .device(.userActiveInOtherTab): .usedElsewhere
    case .device(.networkReturned): .network
    case .home(let event): event.kind
    case .intent: nil
    }
  }

  /// The kind, or the field, the button, or the button and its row.
  var name: String {
    switch self {
    case .page(.fieldEdited(let field, _)): field.rawValue
    case .page(.buttonPressed(let button)): button.rawValue
    case .home(.itemPressed(let button, let item)): button.rawValue + " " + item
    case .started, .page, .signIn, .storage, .session, .answered, .ticked, .device, .home, .intent:
      kind?.rawValue ?? ""
    }
  }
}

extension Event.Kind {
  /// The compiler requires a decision for a new kind of event.
  fileprivate func samples(_ secret: Secret, _ readings: [StorageReading]) -> [Event] {
    switch self {
    case .answer:
      let body = JSON.members([JSONMember("access_token", secret.revealed)])
      return [.answered(RequestID(1), .received(status: 200, body: body, serverSeconds: nil))]
    case .verifier: return [.signIn(.verifierMade(verifier: secret, challenge: "c"))]
    case .invited: return [.signIn(.invited(secret))]
    case .providerReturned: return [.signIn(.providerReturned(secret))]
    case .storage: return readings.map { .storage(.read($0, seen: secret, pending: secret)) }
    case .claimed: return readings.map { .storage(.renewalClaimed($0)) }
    case .changed: return readings.map { .storage(.sessionChanged($0)) }
    case .storedOver: return readings.map { .storage(.storedSessionReplaced($0)) }
    case .lockouts: return [.storage(.lockoutsRead(secret))]
    case .unlocked: return readings.map { .session(.unlocked($0)) }
    case .place: return [.home(.screenStateRead(secret))]
    case .request:
      let body = JSON.members([JSONMember("password", secret.revealed)])
      return [.home(.requestMade(APIRequest(.post, path: "/data", body: body), ticket: 9))]
    case .started, .tick, .reveal, .dismiss, .refused, .saved, .lockPossible, .lockSet,
      .lockRefused, .unlockFailed, .hidden, .shown, .used, .usedElsewhere, .network, .rowsShown,
      .networkChanged, .copyRead, .copyWritten, .placeOpened, .token:
      return []
    }
  }
}

extension PageEvent {
  fileprivate var kind: Event.Kind? {
    switch self {
    case .fieldEdited, .buttonPressed: nil
    case .passwordRevealToggled: .reveal
    case .bannerDismissed: .dismiss
    }
  }
}

extension StorageEvent {
  fileprivate var kind: Event.Kind {
    switch self {
    case .read: .storage
    case .renewalClaimed: .claimed
    case .saveFailed: .refused
    case .sessionChanged: .changed
    case .storedSessionReplaced: .storedOver
    case .pendingSignInSaved: .saved
    case .lockoutsRead: .lockouts
    }
  }
}

extension SessionEvent {
  fileprivate var kind: Event.Kind {
    switch self {
    case .lockSupportChecked: .lockPossible
    case .lockSet: .lockSet
    case .lockFailed: .lockRefused
    case .unlocked: .unlocked
    case .unlockFailed: .unlockFailed
    }
  }
}

extension HomeEvent {
  fileprivate var kind: Event.Kind? {
    switch self {
    case .itemPressed: nil
    case .rowsShown: .rowsShown
    case .networkChanged: .networkChanged
    case .offlineCopy(.read): .copyRead
    case .offlineCopy(.written): .copyWritten
    case .screenStateRead: .place
    case .placeOpened: .placeOpened
    case .requestMade: .request
    case .tokenAsked: .token
    }
  }
}

@Suite struct EventSampleTests {
  @Test("Each kind of event, each field, each button and each item has a sample")
  func complete() {
    for kind in Event.Kind.allCases {
      #expect(Event.samples.contains { $0.kind == kind }, "\(kind)")
    }
    let buttons = ButtonName.allCases.count
    let count = Event.Kind.allCases.count + FieldName.allCases.count + 2 * buttons
    #expect(Set(Event.samples.map(\.name)).count == count)
  }
}
