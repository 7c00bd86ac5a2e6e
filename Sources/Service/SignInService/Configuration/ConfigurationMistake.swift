/// A mistake in a configuration.
///
/// The server does not start until it is corrected.
///
/// It never contains a value, because the value may be a secret in the wrong place.
public struct ConfigurationMistake: Equatable, Sendable {
  /// The place of the mistake, such as `messengers[1].url`.
  ///
  /// Empty for the file as a whole.
  public let path: String
  /// What is wrong, as the rest of a sentence that begins with the path.
  public let problem: String
  /// How to correct it, as an imperative.
  public let remedy: String
}

/// A configuration as far as it could be read, and all mistakes in the order of the file.
public struct ConfigurationReading: Equatable, Sendable {
  /// A value with a mistake has its default; `nil` if the file is not JSON.
  public let configuration: Configuration?
  public let mistakes: [ConfigurationMistake]

  /// Whether a mistake is at `path` or below it, or is about the file as a whole.
  public func hasMistake(at path: String) -> Bool {
    mistakes.contains { mistake in
      let found = mistake.path
      return found.isEmpty || found == path || found.hasPrefix(path + ".")
        || found.hasPrefix(path + "[")
    }
  }
}

/// All mistakes of one configuration, in the order of the file.
///
/// Never empty.
public struct ConfigurationMistakes: Error, Equatable, Sendable {
  public let mistakes: [ConfigurationMistake]
}
