/// The name of a part of a page.
///
/// The engine names the parts that every app has. A page adds its own.
public struct PagePart: Equatable, Sendable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  public static var heading: PagePart { PagePart(rawValue: "heading") }
  public static var code: PagePart { PagePart(rawValue: "code") }
  public static var sheet: PagePart { PagePart(rawValue: "sheet") }
  public static var unlock: PagePart { PagePart(rawValue: "unlock") }
  /// The button that opens the account menu.
  public static var accountMenu: PagePart { PagePart(rawValue: "account_menu") }
}

/// The part of the page that was opened last.
///
/// Each time has another `serial`, also if the part is the same.
public struct ShownPart: Equatable, Sendable {
  public let part: PagePart
  public let serial: Int64
}
