public import JSONText
import SignInModel

/// A problem document (RFC 9457): the body of every unsuccessful answer outside the OAuth and
/// sign-in endpoints.
///
/// Clients read it as a `Refusal`.
public struct Problem: Sendable {
  public let status: Int
  /// The text of an `ErrorCode`, or a code for a request that reached no use case.
  public let code: String
  private let further: [JSONMember?]

  /// A request that reached no use case.
  public init(status: Int, code: String, detail: String?) {
    self.status = status
    self.code = code
    further = [JSONMember(.detail, ifPresent: detail)]
  }

  public init(_ refusal: Refusal, status: Int) {
    self.status = status
    code = refusal.code.rawValue
    further = [
      JSONMember(.detail, ifPresent: refusal.description),
      JSONMember(.reason, ifPresent: refusal.reason),
      JSONMember(.lockedUntil, ifPresent: refusal.lockedUntil?.seconds),
      JSONMember(.attemptsLeft, ifPresent: refusal.attemptsLeft),
      JSONMember(.retryIn, ifPresent: refusal.retryIn),
      JSONMember(.version, ifPresent: refusal.currentVersion), refusal.mistakes.member,
    ]
  }

  /// The document; `title` is the phrase of the status.
  public func json(title: String) -> JSON {
    let head: [JSONMember?] = [
      JSONMember(.type, "about:blank"), JSONMember(.title, title),
      JSONMember(.status, Int64(status)), JSONMember(.code, code),
    ]
    return .members(head + further)
  }
}

/// The result of one record in the answer to a batch.
public struct BatchEntry: Sendable {
  public enum Result: String, CaseIterable, Sendable {
    case created
    case changed
    /// The record already had this content.
    case unchanged
    case removed
    case refused
  }

  public let json: JSON

  private init(_ id: String, _ status: Int, _ result: Result, _ further: [JSONMember?]) {
    let head: [JSONMember?] = [
      JSONMember(.id, id), JSONMember(.status, Int64(status)),
      JSONMember(.result, result.rawValue),
    ]
    json = .members(head + further)
  }

  /// `status` is that of the answer to a separate request; `version` is `nil` if the record was
  /// removed.
  public init(id: String, status: Int, _ result: Result, version: Int64? = nil) {
    self.init(id, status, result, [JSONMember(.version, ifPresent: version)])
  }

  public init(id: String, status: Int, _ refusal: Refusal) {
    self.init(
      id, status, .refused,
      [
        JSONMember(.code, refusal.code.rawValue),
        JSONMember(.detail, ifPresent: refusal.description),
        JSONMember(.version, ifPresent: refusal.currentVersion), refusal.mistakes.member,
      ])
  }
}

extension [MemberMistake] {
  fileprivate var member: JSONMember? {
    guard !isEmpty else { return nil }
    let mistakes = map { mistake in
      JSON.members([
        JSONMember(.path, mistake.member), JSONMember(.problem, mistake.problem),
        JSONMember(.remedy, mistake.remedy),
      ])
    }
    return JSONMember(.mistakes, .array(mistakes))
  }
}
