import JSONText
public import SignInModel

/// The lines of the log.
///
/// Each is one JSON object with a fixed set of members, and no member can contain a secret.
public enum LogLine {
  static func request(
    id: String, at: Instant, method: String, _ answer: AnsweredRequest
  ) -> String {
    line(
      at, "info", "answered",
      [
        JSONMember("request_id", id), JSONMember("method", method),
        JSONMember("route", answer.route), JSONMember("status", Int64(answer.status)),
        JSONMember("milliseconds", answer.milliseconds),
        JSONMember("code", ifPresent: answer.code), JSONMember("reason", ifPresent: answer.reason),
        JSONMember("client", ifPresent: answer.client?.text),
      ].compactMap(\.self))
  }

  /// A request that was refused before all of it was received.
  static func refused(id: String, at: Instant, status: Int, code: String?) -> String {
    var members = [JSONMember("request_id", id), JSONMember("status", Int64(status))]
    if let code { members.append(JSONMember("code", code)) }
    return line(at, "info", "refused", members)
  }

  public static func info(_ what: String, at: Instant) -> String { line(at, "info", what, []) }

  public static func warning(_ what: String, at: Instant) -> String {
    line(at, "warning", what, [])
  }

  public static func fault(_ what: String, at: Instant) -> String { line(at, "error", what, []) }

  /// Reports how many lines standard error did not accept before this one.
  public static func dropped(_ count: Int64, at: Instant) -> String {
    line(at, "warning", "lines dropped", [JSONMember("dropped", count)])
  }

  private static func line(
    _ at: Instant, _ level: String, _ what: String, _ members: [JSONMember]
  ) -> String {
    let head = [
      JSONMember("at", at.milliseconds), JSONMember("level", level), JSONMember("what", what),
    ]
    return String(decoding: JSON.object(head + members).utf8, as: UTF8.self)
  }
}
