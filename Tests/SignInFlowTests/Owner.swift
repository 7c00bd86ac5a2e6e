import EngineTesting
import JSONText
import SignInModel
import SignInWire

@testable import SignInEngine
@testable import SignInFlow

/// A person's phone: the app, its requests and its storage.
///
/// The owner of products is an `Owner`.
struct AppOwner<Home: AppHome> {
  let app: AppName
  var driver = AppDriver<Home>()
  /// The requests without an answer.
  var calls: [(id: RequestID, call: Call)] = []
  var output: [AppEffect<Home.Page>] = []
  /// Every written piece, as storage has it.
  var stored: [String: [UInt8]] = [:]
  var isStorageFull = false
  /// Whether storage accepts writes without reporting a result.
  var isStorageDeaf = false
  var openings = 0
  /// The local time of the device.
  var utcOffsetSeconds: Int64 = 0
  /// The length of a lease.
  var leaseSeconds: Int64 = 1000

  init(app: AppName) { self.app = app }

  static var token: String {
    "e30." + Base64URL.encode(Array(#"{"sub":"owner"}"#.utf8)) + ".x"
  }

  static func record(account: String = "owner", at time: Instant = FlowDriver.startTime) -> String {
    let token = "e30." + Base64URL.encode(Array(#"{"sub":"\#(account)"}"#.utf8)) + ".x"
    let tokens = TokenAnswer(
      accessToken: Secret(token), tokenType: "DPoP", expiresIn: 1_000_000,
      refreshToken: Secret("r"), idToken: nil,
      scope: "products",
      session: TokenAnswer.SessionTerms(
        id: SessionID("session"), expiresAt: time.adding(seconds: 9_000_000),
        idleTimeout: 9_000_000, backgroundTimeout: 300, unlock: "none", organization: nil
      )
    )
    return SessionRecord(tokens, at: time).text.revealed
  }

  /// Opens the app of a signed-in person with the stored data.
  mutating func open(_ reading: OfflineCopyReading? = nil) {
    driver.flow = AppFlow<Home>()
    calls = []
    openings += 1
    handle(
      .started(
        utcOffsetSeconds: utcOffsetSeconds, app: AppProfile(app), page: "page\(openings)"))
    handle(.storage(.read(.value(Self.record()))))
    let pieces = stored.sorted { $0.key < $1.key }.map {
      SealedRecord(key: $0.key, bytes: $0.value)
    }
    handle(.home(.offlineCopy(.read(reading ?? (pieces.isEmpty ? .absent : .value(pieces))))))
  }

  mutating func handle(_ event: Event) {
    output = driver.flow.receive(event.asJustSeen(at: driver.time), at: driver.time)
    for effect in effects {
      switch effect {
      case .call(let id, let call): calls.append((id, call))
      case .offlineCopy(.write(_, let pieces, let kept)):
        if isStorageDeaf { continue }
        if isStorageFull {
          handle(.home(.offlineCopy(.written(.full))))
          continue
        }
        stored = stored.filter { kept.contains($0.key) }
        for piece in pieces { stored[piece.key] = piece.bytes }
      case .offlineCopy(.erase): stored = [:]
      default: break
      }
    }
  }

  mutating func pass(seconds: Int64) {
    for _ in 0..<seconds {
      driver.time = driver.time.adding(seconds: 1)
      handle(.ticked)
    }
  }

  var effects: [Effect] { output.compactMap { $0.ofEngine } }

  var announcements: [Announcement] {
    output.compactMap { ($0 as? PageEffect)?.announcement }
  }

  // MARK: The server

  func call(to prefix: String) -> Call? { calls.last { $0.call.path.hasPrefix(prefix) }?.call }

  mutating func answer(_ prefix: String, _ answer: Answer) {
    guard let index = calls.lastIndex(where: { $0.call.path.hasPrefix(prefix) }) else {
      preconditionFailure("nothing is asked of \(prefix)")
    }
    let id = calls.remove(at: index).id
    handle(.answered(id, answer))
  }

  mutating func sync(
    _ products: [ProductEntry] = [], removed: [String] = [], cursor: String = "c1",
    isComplete: Bool = true, account: String = "owner"
  ) {
    let now = driver.time
    let token = lease(of: .products, account: account)
    let page = ProductsAnswer(
      products: products, removed: removed.map { ProductID($0) }, cursor: cursor,
      isComplete: isComplete, syncedAt: now, today: CalendarDay(now), lease: token
    )
    answer(
      Endpoint.products.path, .received(status: 200, body: page.json, serverSeconds: now.seconds)
    )
  }

  func lease(of list: OfflineLease.List, account: String = "owner") -> String {
    let lease = OfflineLease(
      issuer: "https://x", account: AccountID(account), client: ClientID(app.rawValue),
      organization: nil, list: list.rawValue, session: SessionID("session"),
      issuedAt: driver.time, expiresAt: driver.time.adding(seconds: leaseSeconds)
    )
    let header = JSON.members([JSONMember("typ", OfflineLease.type)])
    return Base64URL.encode(header.utf8) + "." + Base64URL.encode(lease.claims.utf8) + ".x"
  }

  mutating func loseServer() { answer(Endpoint.products.path, .unreachable) }
}

extension SessionRecord {
  var text: Secret { StoredSession.text(of: self) }
}

/// A person with products.
typealias Owner = AppOwner<ProductsHome>

extension Owner {
  init() { self.init(app: .product) }

  var home: ProductsHome {
    guard let home = driver.signedIn?.home else {
      preconditionFailure("no account is signed in to the product app")
    }
    return home
  }

  var kept: SyncedList<ProductEntry> { home.kept }
}
