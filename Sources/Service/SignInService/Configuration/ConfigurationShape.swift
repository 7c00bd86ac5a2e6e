import JSONText

/// What a part of a configuration may be: the checker reads it, and the JSON Schema is written
/// from it, so that the two cannot disagree.
indirect enum ConfigurationShape: Sendable {
  case text(TextForm)
  case number(ClosedRange<Int64>)
  case flag
  case choice([String])
  /// True, false, or one of these words.
  case flagOrChoice([String])
  case list(of: ConfigurationShape, atLeast: Int)
  case object([ConfigurationMember])
  /// An object whose `kind` decides its other members.
  ///
  /// - Parameter whenNone: What to do while this version can use none of the kinds.
  case kinds([ConfigurationKind], whenNone: String)
}

/// One key of an object.
struct ConfigurationMember: Sendable {
  let key: String
  let shape: ConfigurationShape
  var isRequired = false
  /// What it is for, as one sentence without its full stop.
  let help: String
  /// What holds when it is absent, for the schema; nil when nothing does, or other keys decide.
  var standard: JSON?

  static func required(
    _ key: String,
    _ shape: ConfigurationShape,
    _ help: String
  ) -> ConfigurationMember {
    ConfigurationMember(key: key, shape: shape, isRequired: true, help: help)
  }

  static func optional(
    _ key: String, _ shape: ConfigurationShape, _ help: String, standard: JSON? = nil
  ) -> ConfigurationMember {
    ConfigurationMember(key: key, shape: shape, help: help, standard: standard)
  }
}

/// One kind of messenger or provider.
struct ConfigurationKind: Sendable {
  /// Whether this version has an adapter for it.
  enum Use: Sendable {
    case notYet
    case developmentOnly
    case everywhere
  }

  let name: String
  var use = Use.notYet
  let members: [ConfigurationMember]
  /// The secret it needs, such as `access_key`: `access_key_file` or `access_key_env` says where
  /// it is, and exactly one of them must.
  var secret: String?
  var isSecretRequired = true

  func isUsable(isDevelopment: Bool) -> Bool {
    switch use {
    case .notYet: false
    case .developmentOnly: isDevelopment
    case .everywhere: true
    }
  }

  /// Every key, `kind` first.
  var allMembers: [ConfigurationMember] {
    var all = [ConfigurationMember.required("kind", .choice([name]), "Which kind this is")]
    all += members
    if let secret {
      all.append(.optional("\(secret)_file", .text(.path), "The file that holds the secret"))
      all.append(
        .optional(
          "\(secret)_env",
          .text(.environmentVariable),
          "The environment variable that holds it"
        )
      )
    }
    return all
  }
}
