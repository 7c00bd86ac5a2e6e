import HTTPServer
import JSONText
public import SignInModel
public import SignInService
import SignInWire

extension Route {
  /// The routes of a development server.
  ///
  /// Their refusals are problems with their own codes.
  static let ofDevelopment: [Route] = [
    Route(
      .get, .developmentMessages, .development, answer: developmentMessages,
      Operation(
        name: "readInbox",
        summary: "The messages in the development inbox, newest first", chapter: .development,
        query: [
          Parameter(
            .to, schema: .text(upTo: EmailAddress.lengthLimit),
            note: "A phone number or an e-mail address; without it, all messages"
          ),
          Parameter(
            .kind, schema: .word(OutboxMessage.Kind.allCases.map { $0.rawValue }),
            note:
              "The default is code; for a number, also notices by e-mail to its accounts"
          ),
        ],
        contents: [InboxQuery.self],
        answers: [
          .json(
            .list(
              .object([
                .required(.to, .text), .required(.text, .text), .optional(.code, .text),
                .required(.sentAt, .number),
              ])
            ), "The messages; with Accept: text/html, a web page"
          )
        ], refusals: [.invalidRequest]
      )),
    Route(
      .post, .developmentClock, .development, answer: advanceClock,
      Operation(
        name: "advanceClock",
        summary: "Moves the server's clock forward", chapter: .development,
        body: .json(
          .object([.required(.advance, .whole(0...Route.longestAdvanceSeconds), "In seconds")])),
        contents: [ClockBody.self],
        answers: [.json(.object([.required(.now, .number)]), "The time of the server")],
        refusals: [.invalidRequest]
      )),
    Route(
      .post, .developmentAccounts, .development, answer: makeAccounts,
      Operation(
        name: "makeLoadAccounts",
        summary: "Creates accounts for load tests", chapter: .development,
        body: .json(.object([.required(.count, .whole(1...Route.loadAccountLimit))])),
        contents: [LoadAccountsBody.self],
        answers: [.json(.object([.required(.count, .number)]), "The number of these accounts")],
        refusals: [.invalidRequest]
      )),
  ]
}

/// The functions that exist only with `--development`: reading codes without a phone, moving the
/// clock, and creating accounts for load tests.
public protocol DevelopmentTools: Sendable {
  /// The messages of this kind, newest first; all of them if `recipient` is `nil`.
  ///
  /// For a phone number, they include the notices to the e-mail addresses of its accounts.
  func messages(to recipient: Recipient?, kind: OutboxMessage.Kind) async -> [InboxMessage]
  /// Moves the server's clock forward and returns the new time.
  func advanceClock(seconds: Int64) -> Instant
  /// Creates accounts `load-0001@example.com` … with one password.
  ///
  /// Returns how many exist.
  func makeAccounts(count: Int) async -> Int
  /// Nil if no app uses a practice provider.
  var practice: PracticeServer? { get }
}

/// A message in the development inbox.
public struct InboxMessage: Equatable, Sendable {
  public let to: Recipient
  public let text: String
  public let code: String?
  public let sentAt: Instant

  public init(to: Recipient, text: String, code: String?, sentAt: Instant) {
    self.to = to
    self.text = text
    self.code = code
    self.sentAt = sentAt
  }
}

extension Route {
  static let longestAdvanceSeconds: Int64 = 10 * 365 * 24 * 60 * 60
  static let loadAccountLimit: Int64 = 9999

  /// Refuses a request to a development route if a web page of another site may have sent it.
  ///
  /// A browser on this machine can reach the loopback address for any web page. An attacker can
  /// make a domain name resolve to that address; then `Host` has that name. A page that uses the
  /// address itself is recognised by `Sec-Fetch-Site`.
  static func refusedOrigin(_ request: HTTPRequest, issuer: String) -> HTTPResponse? {
    if let refusal = refusedHost(request, issuer: issuer) { return refusal }
    // Browsers without `Sec-Fetch-Site` send `Origin` with requests that change data.
    let origins = request.values(of: "origin")
    let sites = request.values(of: "sec-fetch-site")
    // `none` means that the person typed the address.
    guard sites.allSatisfy({ $0 == "same-origin" || $0 == "none" }),
      origins.allSatisfy({ isOwn(origin: $0, issuer: issuer) })
    else {
      return .problem(.crossSite, detail: "development routes answer no other site's page")
    }
    return nil
  }

  /// Refuses a request to a name of another machine.
  static func refusedHost(_ request: HTTPRequest, issuer: String) -> HTTPResponse? {
    // Browsers always send `Host`.
    guard request.values(of: "host").allSatisfy({ isOwn($0, issuer: issuer) }) else {
      return .problem(.foreignHost, detail: "development routes answer to loopback names")
    }
    return nil
  }

  private static func isOwn(origin: String, issuer: String) -> Bool {
    let parts = origin.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count == 3 && parts[1].isEmpty && isOwn(String(parts[2]), issuer: issuer)
  }

  private static func isOwn(_ host: String, issuer: String) -> Bool {
    issuer.hasSuffix("//" + host) || ListenAddress.isLoopback(authority: host)
  }

  static func developmentMessages(_ call: Call) async throws(Refusal) -> HTTPResponse {
    guard let development = call.handler.development else {
      return .problem(.notFound)
    }
    if call.request.values(of: "accept").first?.hasPrefix("text/html") == true {
      return call.handler.assets.developmentInbox(call.request)
    }
    let query = InboxQuery(try call.query())
    var recipient: Recipient?
    if let text = query.to {
      // A `+` that was not escaped arrives as a space.
      let spelled = text.hasPrefix(" ") ? "+" + text.dropFirst() : text
      do throws(Malformed) { recipient = try Recipient(parsing: spelled) } catch {
        return .json(.array([]))
      }
    }
    var kind = OutboxMessage.Kind.code
    if let word = query.kind {
      guard let known = OutboxMessage.Kind(rawValue: word) else {
        throw Refusal.invalidRequest("kind: code or notice")
      }
      kind = known
    }
    var entries: [JSON] = []
    for message in await development.messages(to: recipient, kind: kind) {
      entries.append(
        .members([
          JSONMember(.to, message.to.text),
          JSONMember(.text, message.text),
          JSONMember(.code, ifPresent: message.code),
          JSONMember(.sentAt, message.sentAt.seconds),
        ])
      )
    }
    return .json(.array(entries))
  }

  static func advanceClock(_ call: Call) async throws(Refusal) -> HTTPResponse {
    guard let development = call.handler.development,
      let seconds = read(ClockBody.self, call)?.advanceSeconds, seconds <= longestAdvanceSeconds
    else { throw Refusal.invalidRequest("advance: whole seconds") }
    let now = development.advanceClock(seconds: seconds)
    return .json(.members([JSONMember(.now, now.seconds)]))
  }

  static func makeAccounts(_ call: Call) async throws(Refusal) -> HTTPResponse {
    guard let development = call.handler.development,
      let count = read(LoadAccountsBody.self, call)?.count, count > 0, count <= loadAccountLimit
    else { throw Refusal.invalidRequest("count: 1 to \(loadAccountLimit)") }
    let made = await development.makeAccounts(count: Int(count))
    return .json(.members([JSONMember(.count, Int64(made))]))
  }

  /// The body, of any media type; nil if it is malformed.
  private static func read<Body: RequestBody>(_ type: Body.Type, _ call: Call) -> Body? {
    do { return try Body(try JSONReader.read(call.request.body, within: .request)) } catch {
      return nil
    }
  }
}
