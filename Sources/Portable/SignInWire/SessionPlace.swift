public import JSONText
internal import SignInModel

/// Approximately where a session began: a town and a country.
///
/// It is found by the network address, so it can be wrong. It helps a person to recognize a session
/// and decides nothing.
public struct SessionPlace: Equatable, Sendable {
  /// The longest name of a town in bytes.
  public static let townByteLimit = 80

  /// The name of the town in English; `nil` if it is not known.
  public let town: String?
  /// ISO 3166-1, two letters in upper case.
  public let country: String

  /// `nil` if the country is not of two letters in upper case.
  ///
  /// A town whose name is longer, blank or has deceptive characters is left out.
  public init?(town: String?, country: String) {
    let letters = Array(country.utf8)
    guard letters.count == 2 else { return nil }
    for letter in letters where letter < UInt8(ascii: "A") || letter > UInt8(ascii: "Z") {
      return nil
    }
    self.country = country
    self.town = town.flatMap { Self.isName($0) ? $0 : nil }
  }

  private static func isName(_ town: String) -> Bool {
    town.utf8.count <= townByteLimit && !TypedText.isBlank(town) && !TypedText.isDeceptive(town)
  }

  public init?(json: JSON?) {
    guard let country = json?.text(.country) else { return nil }
    self.init(town: json?.text(.town), country: country)
  }

  public var json: JSON {
    .members([JSONMember(.town, ifPresent: town), JSONMember(.country, country)])
  }
}
