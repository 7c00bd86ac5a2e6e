public import JSONText

/// An identity provider, as an administrator sees it.
public struct ProviderEntry: Equatable, Sendable {
  public let name: String
  public let label: String
  /// The issuer part of its identities.
  public let issuer: String
  /// What must be registered at the provider.
  public let redirectURI: String
  /// The apps that offer it.
  public let clients: [String]
  /// `false` if the last fetch of its metadata or keys failed.
  public let isAvailable: Bool

  public init(
    name: String, label: String, issuer: String, redirectURI: String, clients: [String],
    isAvailable: Bool
  ) {
    self.name = name
    self.label = label
    self.issuer = issuer
    self.redirectURI = redirectURI
    self.clients = clients
    self.isAvailable = isAvailable
  }

  public var json: JSON {
    .members([
      JSONMember(.name, name), JSONMember(.label, label), JSONMember(.issuer, issuer),
      JSONMember(.redirectURI, redirectURI),
      JSONMember(.clients, .array(clients.map { .string($0) })),
      JSONMember(.available, isAvailable),
    ])
  }
}
