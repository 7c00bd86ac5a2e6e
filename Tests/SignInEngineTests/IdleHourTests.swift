import EngineTesting
import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine

/// The number of requests that an idle app sends, as a measure of its battery use.
@Suite struct IdleHourTests {
  /// How long the server keeps a request open that waits for account updates.
  private static let heldSeconds: Int64 = 50
  private static let tokenSeconds: Int64 = 300

  /// A session that is valid for more than the hour.
  private static let terms = TokenAnswer.SessionTerms(
    id: SessionID("session-1"), expiresAt: EngineDriver.startTime.adding(seconds: 86400),
    idleTimeout: 86400,
    backgroundTimeout: 300, unlock: "none", organization: OrganizationID("north")
  )

  private static func tokens(_ number: Int64) -> TokenAnswer {
    EngineDriver.tokens(number, expiresIn: tokenSeconds, terms: terms)
  }

  /// Counts requests by path during one hour.
  ///
  /// The server answers at once, or when its time to keep a request open has passed.
  private struct Hour {
    var driver: EngineDriver
    var counts: [String: Int] = [:]
    private var held: (id: RequestID, until: Instant)?
    private var tokens: Int64 = 1

    /// Starts just after a sign-in.
    init() {
      driver = .redeeming()
      driver.answer(200, IdleHourTests.tokens(1).json)
      act(on: driver.effects)
    }

    mutating func pass() {
      counts = [:]
      for _ in 0..<3600 {
        driver.pass(seconds: 1)
        act(on: driver.effects)
        if let call = held, call.until <= driver.time {
          held = nil
          answer(call.id, 200, update)
        }
      }
    }

    private mutating func act(on effects: [Effect]) {
      for effect in effects {
        switch effect {
        case .call(let id, let call): take(id, call)
        case .claimRenewal:
          guard let record = driver.renewingSession?.record else { continue }
          handle(.storage(.renewalClaimed(.value(record.text.revealed))))
        case .cancelCall(let id) where held?.id == id: held = nil
        default: continue
        }
      }
    }

    private mutating func take(_ id: RequestID, _ call: Call) {
      let path = String(call.path.prefix { $0 != "?" })
      counts[path, default: 0] += 1
      switch path {
      case Endpoint.sessionEvents.path:
        held = (id, driver.time.adding(seconds: IdleHourTests.heldSeconds))
      case Endpoint.token.path:
        tokens += 1
        answer(id, 200, IdleHourTests.tokens(tokens).json)
      case Endpoint.me.path: answer(id, 200, EngineDriver.account.json)
      default: answer(id, 200, .null)
      }
    }

    private mutating func answer(_ id: RequestID, _ status: Int64, _ body: JSON) {
      handle(
        .answered(id, .received(status: status, body: body, serverSeconds: driver.time.seconds)))
    }

    private mutating func handle(_ event: AppEvent<NoPage>) {
      driver.handle(event)
      act(on: driver.effects)
    }

    private var update: JSON {
      .members([JSONMember("version", "v1"), JSONMember("session", IdleHourTests.terms.json)])
    }
  }

  @Test("O-09 an idle hour in view sends 72 requests for account updates, and 12 renewals")
  func inView() {
    var hour = Hour()

    hour.pass()

    #expect(hour.driver.renewingSession != nil)
    #expect(hour.counts == [Endpoint.sessionEvents.path: 72, Endpoint.token.path: 12])
  }

  @Test("O-09 an idle hour out of view sends no request")
  func outOfView() {
    var hour = Hour()
    hour.driver.hide()

    hour.pass()

    #expect(hour.driver.renewingSession != nil)
    #expect(hour.counts.isEmpty)
  }
}
