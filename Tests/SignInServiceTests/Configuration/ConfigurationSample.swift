import JSONText
import SignInService
import TextMessengers

/// A valid configuration, and changes that make it invalid.
enum ConfigurationSample {
  static let text = """
    {
      "issuer": "https://id.example.com",
      "listen": "127.0.0.1:8443",
      "store": "sqlite:/var/lib/fieldpass",
      "organizations": [{ "id": "north", "name": "North" }, { "id": "south", "name": "South" }],
      "clients": [
        {
          "id": "app", "name": "App", "home": "assigned_jobs", "sign_in": "password_and_code",
          "roles": ["technician"], "scopes": ["openid"]
        },
        {
          "id": "other", "name": "Other", "home": "products", "sign_in": "phone_code",
          "roles": ["owner"], "scopes": ["openid"]
        }
      ],
      "messengers": [{ "name": "inbox", "kind": "inbox" }]
    }
    """

  static let stores = [
    StoreKind("sqlite", .folder), StoreKind("postgres", .server),
  ]

  /// The sample with edits such as `("clients.0.code.digits", "3")`.
  ///
  /// `nil` removes the key.
  static func edited(_ edits: [(path: String, json: String?)]) throws -> [UInt8] {
    var root = try JSONReader.read(Array(text.utf8))
    for edit in edits {
      let value = try edit.json.map { try JSONReader.read(Array($0.utf8)) }
      root = root.setting(edit.path.split(separator: ".").map(String.init)[...], to: value)
    }
    return root.utf8
  }

  /// The mistakes that `parse` finds in development, where the inbox is allowed and the issuer is
  /// local.
  static func mistakes(_ edits: (path: String, json: String?)...) throws -> [ConfigurationMistake] {
    let local: (String, String?) = ("issuer", "\"http://127.0.0.1:8443\"")
    return Configuration.parse(try edited([local] + edits), development: true).mistakes
  }
}

extension Configuration {
  /// Parses as the server does, with all messengers.
  static func parse(
    _ bytes: [UInt8], development: Bool
  ) -> Result<Configuration, ConfigurationMistakes> {
    parse(
      bytes, development: development, stores: ConfigurationSample.stores,
      messengers: MessengerKinds.all)
  }
}

extension Result<Configuration, ConfigurationMistakes> {
  var mistakes: [ConfigurationMistake] {
    switch self {
    case .success: []
    case .failure(let failure): failure.mistakes
    }
  }
}

extension JSON {
  fileprivate func setting(_ path: ArraySlice<String>, to value: JSON?) -> JSON {
    guard let key = path.first else { return value ?? self }
    let rest = path.dropFirst()
    if let index = Int(key), var elements {
      if index == elements.count { elements.append(.object([])) }
      elements[index] = elements[index].setting(rest, to: value)
      return .array(elements)
    }
    var members = objectMembers ?? []
    let place = members.firstIndex { $0.key == key }
    if rest.isEmpty, value == nil {
      members.removeAll { $0.key == key }
    } else {
      let old = place.map { members[$0].value } ?? .object([])
      let member = JSONMember(key, old.setting(rest, to: value))
      if let place { members[place] = member } else { members.append(member) }
    }
    return .object(members)
  }
}
