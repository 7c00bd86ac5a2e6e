public import JSONText
public import SignInModel

/// The policy values that apply to all people of an app, or to those of one organization.
public struct PolicySheet: Equatable, Sendable {
  public let client: ClientID
  public let clientName: String
  /// `nil` for the policy of the whole app.
  public let organization: OrganizationEntry?
  /// The version to send as `If-Match` with a change, so that no other change is overwritten.
  public let tag: String
  public let values: [PolicyValue]

  public init(
    client: ClientID, clientName: String, organization: OrganizationEntry?, tag: String,
    values: [PolicyValue]
  ) {
    self.client = client
    self.clientName = clientName
    self.organization = organization
    self.tag = tag
    self.values = values
  }

  public var json: JSON {
    .members([
      JSONMember(.client, client.text),
      JSONMember(.clientName, clientName),
      organization.map { JSONMember(.organization, $0.json) },
      JSONMember(.tag, tag),
      JSONMember(.values, .array(values.map { $0.json })),
    ])
  }

  /// Values with a key that this version does not know are omitted.
  public init?(json: JSON) {
    guard let client = json.text(.client), let name = json.text(.clientName),
      let tag = json.text(.tag), let elements = json.elements(.values)
    else { return nil }
    var values: [PolicyValue] = []
    for element in elements { if let value = PolicyValue(json: element) { values.append(value) } }
    self.init(
      client: ClientID(client), clientName: name,
      organization: json[.organization].flatMap { OrganizationEntry(json: $0) }, tag: tag,
      values: values
    )
  }
}

/// One value of a policy: the current value, its source, and the values that may be written.
public struct PolicyValue: Equatable, Sendable {
  /// Where the value comes from.
  public enum Source: String, Sendable, CaseIterable {
    /// The default, because no other value is set.
    case standard
    case configuration
    /// An administrator set it while the server was running.
    case changed
    /// The value of the app, because the organization has no value or a weaker one.
    case client
  }

  /// The values that may be written.
  public enum Form: Equatable, Sendable {
    case number(ClosedRange<Int64>)
    case choice([String])
    case callingCodes
    /// A text message that contains `{code}`.
    case message
  }

  public let key: PolicyKey
  /// `null` if there is no value, as for countries and texts.
  public let value: JSON
  public let source: Source
  /// The value without the changes of administrators.
  public let configured: JSON
  /// The organization's own value.
  ///
  /// It is `null` for apps, and if the organization has no value.
  public let own: JSON
  /// Whether administrators changed the value here, even if the change has no effect.
  public let isChanged: Bool
  public let form: Form

  public init(
    key: PolicyKey, value: JSON, source: Source, configured: JSON, own: JSON = .null,
    isChanged: Bool, form: Form
  ) {
    self.key = key
    self.value = value
    self.source = source
    self.configured = configured
    self.own = own
    self.isChanged = isChanged
    self.form = form
  }

  public var json: JSON {
    let may: [JSONMember]
    switch form {
    case .number(let range):
      may = [
        JSONMember(.form, "number"), JSONMember(.minimum, range.lowerBound),
        JSONMember(.maximum, range.upperBound),
      ]
    case .choice(let words):
      may = [
        JSONMember(.form, "choice"), JSONMember(.choices, .array(words.map { JSON.string($0) })),
      ]
    case .callingCodes: may = [JSONMember(.form, "calling_codes")]
    case .message: may = [JSONMember(.form, "message")]
    }
    return .object(
      [
        JSONMember(.key, key.rawValue), JSONMember(.value, value),
        JSONMember(.source, source.rawValue), JSONMember(.configured, configured),
        JSONMember(.own, own), JSONMember(.changed, isChanged),
      ] + may
    )
  }

  public init?(json: JSON) {
    guard let key = json.text(.key).flatMap({ PolicyKey(rawValue: $0) }),
      let value = json[.value],
      let source = json.text(.source).flatMap({ Source(rawValue: $0) }),
      let isChanged = json.flag(.changed), let form = Form(json: json)
    else { return nil }
    self.init(
      key: key, value: value, source: source, configured: json[.configured] ?? .null,
      own: json[.own] ?? .null, isChanged: isChanged, form: form
    )
  }
}

extension PolicyValue.Form {
  fileprivate init?(json: JSON) {
    switch json.text(.form) {
    case "number":
      guard let least = json[.minimum]?.number(in: JSON.safeIntegers),
        let most = json[.maximum]?.number(in: JSON.safeIntegers), least <= most
      else { return nil }
      self = .number(least...most)
    case "choice":
      var words: [String] = []
      for element in json.elements(.choices) ?? [] {
        if let word = element.text { words.append(word) }
      }
      self = .choice(words)
    case "calling_codes": self = .callingCodes
    case "message": self = .message
    default: return nil
    }
  }
}
