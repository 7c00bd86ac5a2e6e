public import JSONText

/// The public information about an app.
public struct AppEntry: Sendable {
  /// An identity provider at which people of this app can sign in.
  public struct Provider: Sendable {
    /// The value of the parameter `provider`.
    public let name: String
    /// The name that people see.
    public let label: String
    /// `false` if the server could not read the provider's metadata or keys.
    public let isAvailable: Bool

    public init(name: String, label: String, isAvailable: Bool) {
      self.name = name
      self.label = label
      self.isAvailable = isAvailable
    }
  }

  public let id: String
  public let name: String
  /// The calling code that is filled in at first, such as `+47`.
  public let defaultCountry: String?
  public let providers: [Provider]
  /// Whether the domain of an e-mail address can decide which provider signs a person in.
  ///
  /// The first call then needs the address only.
  public let findsProviderByEmail: Bool

  public init(
    id: String, name: String, defaultCountry: String?, providers: [Provider],
    findsProviderByEmail: Bool
  ) {
    self.id = id
    self.name = name
    self.defaultCountry = defaultCountry
    self.providers = providers
    self.findsProviderByEmail = findsProviderByEmail
  }

  public var json: JSON {
    .members([
      JSONMember(.clientID, id), JSONMember(.name, name),
      JSONMember(.defaultCountry, ifPresent: defaultCountry),
      providers.isEmpty ? nil : JSONMember(.providers, .array(providers.map { $0.json })),
      providers.isEmpty ? nil : JSONMember(.providerByEmail, findsProviderByEmail),
    ])
  }

  /// Returns `nil` if the JSON names no app.
  public init?(json: JSON) {
    guard let id = json.text(.clientID), let name = json.text(.name) else { return nil }
    self.init(
      id: id, name: name, defaultCountry: json.text(.defaultCountry),
      providers: (json.elements(.providers) ?? []).compactMap { Provider(json: $0) },
      findsProviderByEmail: json.flag(.providerByEmail) ?? false)
  }
}

extension AppEntry.Provider {
  public var json: JSON {
    .members([
      JSONMember(.name, name), JSONMember(.label, label), JSONMember(.available, isAvailable),
    ])
  }

  public init?(json: JSON) {
    guard let name = json.text(.name), let label = json.text(.label) else { return nil }
    self.init(name: name, label: label, isAvailable: json.flag(.available) ?? true)
  }
}
