/// One thing in a configuration that must be changed before the server can start.
///
/// It never repeats a value, for the value may be a secret in the wrong place.
public struct ConfigurationMistake: Equatable, Sendable {
  /// Where it stands, such as `messengers[1].url`; empty for the file as a whole.
  public let path: String
  /// What is wrong, as the rest of a sentence that begins with the path.
  public let problem: String
  /// What would be right, as a command.
  public let remedy: String

  public init(path: String, problem: String, remedy: String) {
    self.path = path
    self.problem = problem
    self.remedy = remedy
  }
}

/// Every mistake of one configuration, in reading order; never empty.
public struct ConfigurationMistakes: Error, Equatable, Sendable {
  public let mistakes: [ConfigurationMistake]
}
