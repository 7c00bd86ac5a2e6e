import JSONText

/// One kind of messenger.
///
/// Its adapter declares the configuration keys and reads them.
public struct MessengerKind: Sendable {
  /// A configuration key of such a messenger.
  public struct Key: Sendable {
    /// The type of a value.
    public enum Form: Sendable {
      /// One line for people.
      case line
      case identifier
      /// A URL with TLS, or a URL on this machine.
      case secureURL
      case hostName
      case port
      case flag(usually: Bool)
      case choice([String], usually: String)
      /// `true`, `false`, or one of these words.
      case flagOrChoice([String])
    }

    let name: String
    let form: Form
    let isRequired: Bool
    let help: String

    /// A required key.
    ///
    /// `help` is one sentence without a full stop.
    public static func required(_ name: String, _ form: Form, _ help: String) -> Key {
      Key(name: name, form: form, isRequired: true, help: help)
    }

    /// An optional key.
    ///
    /// `help` is one sentence without a full stop.
    public static func optional(_ name: String, _ form: Form, _ help: String) -> Key {
      Key(name: name, form: form, isRequired: false, help: help)
    }
  }

  /// The value of `kind`.
  public let name: String
  let keys: [Key]
  let secret: String?
  let isSecretRequired: Bool

  /// Creates a kind with its keys.
  ///
  /// `secret` is the name of the secret that it needs, such as `access_key`. Then `access_key_file`
  /// or `access_key_env` says where the secret is.
  public init(
    _ name: String, keys: [Key], secret: String? = nil, isSecretRequired: Bool = true
  ) {
    self.name = name
    self.keys = keys
    self.secret = secret
    self.isSecretRequired = isSecretRequired
  }
}

extension ConfigurationKind {
  init(_ kind: MessengerKind) {
    self.init(
      name: kind.name, use: .everywhere, members: Self.messengerMembers(kind.keys.map(\.member)),
      secret: kind.secret, isSecretRequired: kind.isSecretRequired
    )
  }

  /// The development inbox, which shows messages instead of sending them to a phone.
  static let inbox = ConfigurationKind(
    name: Configuration.Messenger.inbox, use: .developmentOnly, members: messengerMembers([])
  )

  private static func messengerMembers(_ own: [ConfigurationMember]) -> [ConfigurationMember] {
    [.required("name", .text(.identifier), "Name in logs and metrics")] + own + [
      .optional(
        "countries",
        .list(of: .text(.numberPrefix), atLeast: 1),
        "Calling codes, or ranges inside one such as +1-242; if absent, all numbers"
      )
    ]
  }
}

extension MessengerKind.Key {
  fileprivate var member: ConfigurationMember {
    switch form {
    case .line: member(.text(.line))
    case .identifier: member(.text(.identifier))
    case .secureURL: member(.text(.secureURL))
    case .hostName: member(.text(.hostName))
    case .port: member(.number(ConfigurationShape.portLimits))
    case .flag(let usually):
      ConfigurationMember(
        key: name, shape: .flag, isRequired: isRequired, help: help, standard: .bool(usually))
    case .flagOrChoice(let choices): member(.flagOrChoice(choices))
    case .choice(let choices, let usually):
      ConfigurationMember(
        key: name, shape: .choice(choices), isRequired: isRequired, help: help,
        standard: .string(usually))
    }
  }

  private func member(_ shape: ConfigurationShape) -> ConfigurationMember {
    ConfigurationMember(key: name, shape: shape, isRequired: isRequired, help: help)
  }
}
