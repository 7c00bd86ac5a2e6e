import JSONText

extension Configuration {
  /// Reads a JSON configuration.
  ///
  /// Returns the configuration, or all mistakes in it (P-09).
  ///
  /// In development a public issuer is a mistake and the inbox is not. In production it is the
  /// reverse. `stores` are the kinds that the program knows, and `messengers` those that have an
  /// adapter. Relative paths in the file are relative to `folder`. If `folder` is empty, they do
  /// not change.
  public static func parse(
    _ bytes: [UInt8], development isDevelopment: Bool, stores: [StoreKind],
    messengers: [MessengerKind], folder: String = ""
  ) -> Result<Configuration, ConfigurationMistakes> {
    let reading = read(
      bytes, development: isDevelopment, stores: stores, messengers: messengers, folder: folder
    )
    guard let configuration = reading.configuration, reading.mistakes.isEmpty else {
      return .failure(ConfigurationMistakes(mistakes: reading.mistakes))
    }
    return .success(configuration)
  }

  /// Reads a configuration as far as possible, together with its mistakes.
  ///
  /// With it the caller can also check the files that a configuration with mistakes names. So an
  /// operator sees all mistakes at the first attempt.
  public static func read(
    _ bytes: [UInt8], development isDevelopment: Bool, stores: [StoreKind],
    messengers: [MessengerKind], folder: String = ""
  ) -> ConfigurationReading {
    let root: JSON
    do {
      root = try JSONReader.read(bytes)
    } catch {
      return ConfigurationReading(configuration: nil, mistakes: [mistake(error, in: bytes)])
    }
    var checker = ConfigurationChecker(isDevelopment: isDevelopment)
    checker.check(root, is: .configuration(stores, messengers), at: "")
    let configuration = ConfigurationReader(
      root: root, stores: stores, messengers: messengers, folder: folder
    ).configuration()
    ConfigurationRules(
      root: root, configuration: configuration, stores: stores, isDevelopment: isDevelopment
    ).check(into: &checker)
    return ConfigurationReading(configuration: configuration, mistakes: checker.mistakes)
  }

  private static func mistake(
    _ fault: JSONMalformed,
    in bytes: [UInt8]
  ) -> ConfigurationMistake {
    let before = bytes.prefix(fault.offset)
    let line = before.count { $0 == UInt8(ascii: "\n") } + 1
    let column = before.reversed().prefix { $0 != UInt8(ascii: "\n") }.count + 1
    let place = "at line \(line), column \(column)"
    let (problem, remedy) =
      switch fault.reason {
      case .unexpectedEnd: ("ends too early", "close what was opened")
      case .unexpectedByte: ("is not JSON", "look for a missing comma, quote or bracket")
      case .tooDeep: ("is nested too deeply", "remove brackets")
      case .tooLong: ("is too long", "keep it below \(JSONLimits.document.length >> 20) MiB")
      case .badNumber: ("has a malformed number", "write a whole number without leading zeros")
      case .badEscape: ("has a malformed escape", "write two backslashes to mean one")
      case .notUTF8: ("is not UTF-8", "save the file as UTF-8")
      case .repeatedMember: ("names a key twice", "keep one of the two")
      case .tooManyMembers: ("has an object with too many keys", "remove keys")
      case .tooManyValues: ("has too many values", "remove entries")
      case .tooManyMarks: ("has too many combining marks in a row", "remove marks")
      }
    return ConfigurationMistake(path: "", problem: "\(problem) \(place)", remedy: remedy)
  }
}
