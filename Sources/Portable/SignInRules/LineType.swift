public import SignInModel

/// The price class of a phone number, as far as its first digits show it (L-16).
///
/// Only ranges that a numbering plan defines are listed. All other numbers are ordinary.
public enum LineType: String, CaseIterable, Equatable, Sendable {
  case ordinary
  /// The called person earns money from the call.
  case premium
  /// The cost is shared, and higher than for an ordinary call.
  case sharedCost = "shared_cost"
  /// Satellites and networks without a country.
  case satellite

  public init(of phone: PhoneNumber) {
    for (digits, type) in Self.ranges where phone.e164.hasPrefix(digits) {
      self = type
      return
    }
    self = .ordinary
  }

  /// Assigned codes of ITU-T E.164, and the numbering plans of countries with much fraud.
  private static let ranges: [(String, LineType)] = [
    ("+979", .premium), ("+808", .sharedCost),
    ("+870", .satellite), ("+878", .satellite), ("+881", .satellite), ("+882", .satellite),
    ("+883", .satellite),
    ("+1900", .premium), ("+1976", .premium),
    ("+449", .premium), ("+4484", .sharedCost), ("+4487", .sharedCost),
    ("+47820", .premium), ("+47829", .premium), ("+47810", .sharedCost),
    ("+49900", .premium), ("+49180", .sharedCost), ("+49137", .premium),
    ("+33892", .premium), ("+33899", .premium), ("+3381", .sharedCost), ("+3382", .sharedCost),
    ("+46900", .premium), ("+46939", .premium), ("+46944", .premium), ("+4590", .premium),
    ("+61190", .premium), ("+911900", .premium),
  ]
}
