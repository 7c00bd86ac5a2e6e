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

/// A configuration as far as it could be read, and every mistake in it, in reading order.
public struct ConfigurationReading: Equatable, Sendable {
  /// Where a value is a mistake, it has the standard value; nil when the file is not JSON.
  public let configuration: Configuration?
  public let mistakes: [ConfigurationMistake]

  /// Whether a mistake is at `path` or below it, or concerns the file as a whole.
  public func hasMistake(at path: String) -> Bool {
    mistakes.contains { mistake in
      let found = mistake.path
      return found.isEmpty || found == path || found.hasPrefix(path + ".")
        || found.hasPrefix(path + "[")
    }
  }
}

/// Every mistake of one configuration, in reading order; never empty.
public struct ConfigurationMistakes: Error, Equatable, Sendable {
  public let mistakes: [ConfigurationMistake]
}
