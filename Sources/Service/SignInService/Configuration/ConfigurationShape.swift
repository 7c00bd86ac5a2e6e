import JSONText

/// The shape of a part of a configuration.
///
/// The checker uses it and the JSON Schema is generated from it, so that the two always agree.
indirect enum ConfigurationShape: Sendable {
  case text(TextFormat)
  case number(ClosedRange<Int64>)
  case flag
  case choice([String])
  /// `true`, `false`, or one of these words.
  case flagOrChoice([String])
  case list(of: ConfigurationShape, atLeast: Int, atMost: Int? = nil)
  case object([ConfigurationMember])
  /// A text, or what the shape describes.
  case textOr(TextFormat, ConfigurationShape)
  /// An object with a `kind` that decides its other members.
  ///
  /// - Parameter whenNone: What to do if this version can use none of the kinds.
  case kinds([ConfigurationKind], whenNone: String)
}

/// One key of an object.
struct ConfigurationMember: Sendable {
  let key: String
  let shape: ConfigurationShape
  var isRequired = false
  /// Its purpose, as one sentence without a full stop.
  let help: String
  /// The default value, for the schema; `nil` if there is none or if other keys decide it.
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
  /// Whether this version can use the kind.
  enum Use: Sendable {
    case notYet
    case developmentOnly
    case everywhere
  }

  let name: String
  var use = Use.notYet
  let members: [ConfigurationMember]
  /// The secret it needs, such as `access_key`.
  ///
  /// Exactly one of `access_key_file` and `access_key_env` must say where the secret is.
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
    var all = [ConfigurationMember.required("kind", .choice([name]), "Kind of the entry")]
    all += members
    if let secret {
      all.append(.optional("\(secret)_file", .text(.path), "The file that contains the secret"))
      all.append(
        .optional(
          "\(secret)_env",
          .text(.environmentVariable),
          "The environment variable that contains the secret"
        )
      )
    }
    return all
  }
}
