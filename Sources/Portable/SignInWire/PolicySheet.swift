public import JSONText
public import SignInModel

/// Every value of a policy that holds: for all people of an app, or for those of an organization.
public struct PolicySheet: Equatable, Sendable {
  public let client: ClientID
  public let clientName: String
  /// Nil for everybody.
  public let organization: OrganizationEntry?
  /// To be sent as `If-Match` with a change, so that nobody else's is overwritten.
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
      JSONMember("client", client.text),
      JSONMember("client_name", clientName),
      organization.map { JSONMember("organization", $0.json) },
      JSONMember("tag", tag),
      JSONMember("values", .array(values.map { $0.json })),
    ])
  }

  /// A value of a key this version does not know is left out.
  public init?(json: JSON) {
    guard let client = json["client"]?.text, let name = json["client_name"]?.text,
      let tag = json["tag"]?.text, let elements = json["values"]?.elements
    else { return nil }
    var values: [PolicyValue] = []
    for element in elements { if let value = PolicyValue(json: element) { values.append(value) } }
    self.init(
      client: ClientID(client), clientName: name,
      organization: json["organization"].flatMap { OrganizationEntry(json: $0) }, tag: tag,
      values: values
    )
  }
}

/// One value of a policy: what holds, whose word that is, and what may be written in its place.
public struct PolicyValue: Equatable, Sendable {
  /// Whose word the value is.
  public enum Source: String, Sendable, CaseIterable {
    /// Nobody said anything, and this is safe.
    case standard
    case configuration
    /// An administrator's, while the server runs.
    case changed
    /// The app's own: the organization says nothing, or something looser.
    case client
  }

  /// What may be written.
  public enum Form: Equatable, Sendable {
    case number(ClosedRange<Int64>)
    case choice([String])
    case callingCodes
    /// A text message with `{code}` in it.
    case message
  }

  public let key: PolicyKey
  /// Null where nothing is said, as of countries and texts.
  public let value: JSON
  public let source: Source
  /// What would hold without what administrators changed here.
  public let configured: JSON
  /// What the organization itself says; null when it says nothing, and for apps.
  public let own: JSON
  /// Whether administrators changed it here, be it without effect.
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
        JSONMember("form", "number"), JSONMember("minimum", range.lowerBound),
        JSONMember("maximum", range.upperBound),
      ]
    case .choice(let words):
      may = [
        JSONMember("form", "choice"), JSONMember("choices", .array(words.map { JSON.string($0) })),
      ]
    case .callingCodes: may = [JSONMember("form", "calling_codes")]
    case .message: may = [JSONMember("form", "message")]
    }
    return .object(
      [
        JSONMember("key", key.rawValue), JSONMember("value", value),
        JSONMember("source", source.rawValue), JSONMember("configured", configured),
        JSONMember("own", own), JSONMember("changed", isChanged),
      ] + may
    )
  }

  public init?(json: JSON) {
    guard let key = json["key"]?.text.flatMap({ PolicyKey(rawValue: $0) }),
      let value = json["value"],
      let source = json["source"]?.text.flatMap({ Source(rawValue: $0) }),
      let isChanged = json["changed"]?.flag, let form = Form(json: json)
    else { return nil }
    self.init(
      key: key, value: value, source: source, configured: json["configured"] ?? .null,
      own: json["own"] ?? .null, isChanged: isChanged, form: form
    )
  }
}

extension PolicyValue.Form {
  fileprivate init?(json: JSON) {
    switch json["form"]?.text {
    case "number":
      guard let least = json["minimum"]?.number(in: JSON.safeIntegers),
        let most = json["maximum"]?.number(in: JSON.safeIntegers), least <= most
      else { return nil }
      self = .number(least...most)
    case "choice":
      var words: [String] = []
      for element in json["choices"]?.elements ?? [] {
        if let word = element.text { words.append(word) }
      }
      self = .choice(words)
    case "calling_codes": self = .callingCodes
    case "message": self = .message
    default: return nil
    }
  }
}
