/// A mistake in one member of a request or record.
///
/// It never contains the value.
public struct MemberMistake: Error, Equatable, Sendable {
  /// The name of the member, such as `starts_at`.
  public let member: String
  /// What is wrong, as the rest of a sentence that begins with the member.
  public let problem: String
  /// How to correct it, as an imperative.
  public let remedy: String

  public init(member: String, problem: String, remedy: String) {
    self.member = member
    self.problem = problem
    self.remedy = remedy
  }
}
