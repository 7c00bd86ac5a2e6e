public import JSONText
public import SignInModel

/// One active session in the answers of `GET /api/sessions` and `/admin/accounts/{id}/sessions`.
public struct SessionEntry: Equatable, Sendable {
  public let id: SessionID
  public let client: ClientID
  public let organization: OrganizationID?
  public let authenticationMethods: [String]
  public let startedAt: Instant
  public let lastUsedAt: Instant
  public let expiresAt: Instant
  /// Whether it is the session that made this request.
  public let isCurrent: Bool
  /// Whether the tokens are bound to a device key.
  ///
  /// If not, a copy of them works on any device.
  public let isBound: Bool
  /// The browser and the system that it began on; `nil` if they are not known.
  public var device: DeviceName?
  /// Approximately where it began; `nil` if that is not known.
  public var place: SessionPlace?

  public init(
    id: SessionID, client: ClientID, organization: OrganizationID?,
    authenticationMethods: [String], startedAt: Instant, lastUsedAt: Instant, expiresAt: Instant,
    isCurrent: Bool, isBound: Bool
  ) {
    self.id = id
    self.client = client
    self.organization = organization
    self.authenticationMethods = authenticationMethods
    self.startedAt = startedAt
    self.lastUsedAt = lastUsedAt
    self.expiresAt = expiresAt
    self.isCurrent = isCurrent
    self.isBound = isBound
  }

  public init?(json: JSON) {
    guard let id = json.text(.id), let client = json.text(.clientID),
      let startedAt = json.unixSeconds(.startedAt),
      let lastUsedAt = json.unixSeconds(.lastUsedAt),
      let expiresAt = json.unixSeconds(.expiresAt), let isCurrent = json.flag(.current)
    else { return nil }
    var methods: [String] = []
    for method in json.elements(.amr) ?? [] { if let text = method.text { methods.append(text) } }
    self.init(
      id: SessionID(id), client: ClientID(client),
      organization: json.text(.organization).map { OrganizationID($0) },
      authenticationMethods: methods, startedAt: Instant(seconds: startedAt),
      lastUsedAt: Instant(seconds: lastUsedAt), expiresAt: Instant(seconds: expiresAt),
      isCurrent: isCurrent, isBound: json.flag(.bound) ?? true
    )
    device = DeviceName(json: json[.device])
    place = SessionPlace(json: json[.place])
  }

  public var json: JSON {
    .members([
      JSONMember(.id, id.text),
      JSONMember(.clientID, client.text),
      JSONMember(.organization, ifPresent: organization?.text),
      JSONMember(.amr, .array(authenticationMethods.map { JSON.string($0) })),
      JSONMember(.startedAt, startedAt.seconds),
      JSONMember(.lastUsedAt, lastUsedAt.seconds),
      JSONMember(.expiresAt, expiresAt.seconds),
      JSONMember(.current, isCurrent),
      JSONMember(.bound, isBound),
      device.map { JSONMember(.device, $0.json) },
      place.map { JSONMember(.place, $0.json) },
    ])
  }
}
