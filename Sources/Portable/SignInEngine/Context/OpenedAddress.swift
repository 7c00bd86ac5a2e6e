import SignInModel
import SignInWire

/// What the address that opened the app asks for, until it is used.
struct OpenedAddress: Equatable, Sendable {
  /// The place to open as soon as a person is signed in; empty for the first page.
  private(set) var place = ""
  /// The organization whose session showed the place; `nil` if the person opened its address.
  private var placeOwner: PlaceOwner?
  /// The invitation of the link.
  var invitation: Secret?
  /// The query with which the browser came back from a provider.
  private var providerResult: Secret?

  private struct PlaceOwner: Equatable, Sendable {
    let organization: OrganizationID?
  }

  /// Opens the place of an address that the person opened, as soon as they are signed in.
  mutating func open(place: String) { (self.place, placeOwner) = (place, nil) }

  /// Opens the place that a session has shown when it continues, or at the next sign-in to the same
  /// organization (S-05).
  mutating func reopen(place: String, of record: SessionRecord) {
    self.place = place
    placeOwner = PlaceOwner(organization: record.terms.organization)
  }

  mutating func takePlace(in record: SessionRecord) -> String {
    defer { open(place: "") }
    guard let placeOwner else { return place }
    return placeOwner.organization == record.terms.organization ? place : ""
  }

  mutating func watch(_ event: SignInEvent) {
    switch event {
    case .invited(let invitation): self.invitation = invitation
    case .providerReturned(let query): providerResult = query
    case .verifierMade: break
    }
  }

  var hasProviderResult: Bool { providerResult != nil }

  mutating func takeProviderResult() -> Secret? {
    defer { providerResult = nil }
    return providerResult
  }
}
