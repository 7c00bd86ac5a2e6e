import HTTPServer
import JSONText
public import SignInModel
import SignInService
import SignInWire

/// What exists only with `--development`: reading codes without a phone, moving the clock, and
/// making accounts for load tests.
public protocol DevelopmentTools: Sendable {
  /// Messages handed over, newest first, all of them when `phone` is nil.
  func messages(to phone: PhoneNumber?) async -> [InboxMessage]
  /// Moves the server's clock forward and answers its new time.
  func advanceClock(seconds: Int64) -> Instant
  /// Makes accounts `load-0001@example.com` … with one password; answers how many exist.
  func makeAccounts(count: Int) async -> Int
}

/// A message as the development inbox shows it.
public struct InboxMessage: Equatable, Sendable {
  public let to: PhoneNumber
  public let text: String
  public let code: String?
  public let sentAt: Instant

  public init(to: PhoneNumber, text: String, code: String?, sentAt: Instant) {
    self.to = to
    self.text = text
    self.code = code
    self.sentAt = sentAt
  }
}

extension Route {
  static let longestAdvanceSeconds: Int64 = 10 * 365 * 24 * 60 * 60
  static let loadAccountLimit: Int64 = 9999

  static func developmentMessages(_ call: Call) async -> HTTPResponse {
    guard let development = call.handler.development else {
      return .problem(status: 404, code: "not_found")
    }
    if call.request.values(of: "accept").first?.hasPrefix("text/html") == true {
      return call.handler.assets.developmentInbox(call.request)
    }
    var phone: PhoneNumber?
    do throws(Form.Fault) {
      let form = try Form(parsing: Array((call.request.query ?? "").utf8))
      if let text = form["to"] {
        // A `+` that was not escaped arrives as a space.
        let spelled = text.hasPrefix(" ") ? "+" + text.dropFirst() : text
        do throws(Malformed) { phone = try PhoneNumber(parsing: spelled) } catch {
          return .json(.array([]))
        }
      }
    } catch {
      return .problem(status: 400, code: "invalid_request")
    }
    var entries: [JSON] = []
    for message in await development.messages(to: phone) {
      entries.append(
        .members([
          JSONMember("to", message.to.e164),
          JSONMember("text", message.text),
          JSONMember("code", ifPresent: message.code),
          JSONMember("sent_at", message.sentAt.seconds),
        ])
      )
    }
    return .json(.array(entries))
  }

  static func advanceClock(_ call: Call) -> HTTPResponse {
    guard let development = call.handler.development,
      let seconds = number("advance", in: call.request.body), seconds >= 0,
      seconds <= longestAdvanceSeconds
    else { return .problem(status: 400, code: "invalid_request", detail: "advance: whole seconds") }
    let now = development.advanceClock(seconds: seconds)
    return .json(.members([JSONMember("now", now.seconds)]))
  }

  static func makeAccounts(_ call: Call) async -> HTTPResponse {
    guard let development = call.handler.development,
      let count = number("count", in: call.request.body), count > 0, count <= loadAccountLimit
    else { return .problem(status: 400, code: "invalid_request", detail: "count: 1 to 9999") }
    let made = await development.makeAccounts(count: Int(count))
    return .json(.members([JSONMember("count", Int64(made))]))
  }

  private static func number(_ name: String, in body: [UInt8]) -> Int64? {
    do throws(JSONMalformed) { return try JSONReader.read(body)[name]?.number } catch { return nil }
  }
}
