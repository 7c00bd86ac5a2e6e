public import SignInModel

/// The metadata and keys of identity providers, so that sign-ins work after a restart while a
/// provider's discovery does not answer.
public protocol ProviderDocumentRecords {
  func providerDocument(
    _ kind: ProviderDocument.Kind, of provider: String
  ) throws(StoreFault) -> ProviderDocument?
  /// Replaces the earlier document of this provider and kind, if there is one.
  func save(_ document: ProviderDocument) throws(StoreFault)
}

/// A document that a provider publishes.
public struct ProviderDocument: Equatable, Sendable {
  public enum Kind: String, Sendable {
    case metadata
    case keys
  }

  /// The name of the provider in the configuration.
  public let provider: String
  public let kind: Kind
  /// The URL that it was fetched from.
  ///
  /// After a change of the configuration, a document of another URL is not used.
  public let url: String
  public let body: [UInt8]
  public let fetchedAt: Instant

  public init(
    provider: String, kind: Kind, url: String, body: [UInt8], fetchedAt: Instant
  ) {
    self.provider = provider
    self.kind = kind
    self.url = url
    self.body = body
    self.fetchedAt = fetchedAt
  }
}
