/// The place on the screen that gets the keyboard focus.
///
/// The engine names the places that every app has. A form adds its fields.
public struct FocusTarget: Equatable, Sendable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  public static var heading: FocusTarget { FocusTarget(rawValue: "heading") }
  public static var code: FocusTarget { FocusTarget(rawValue: "code") }
  public static var sheet: FocusTarget { FocusTarget(rawValue: "sheet") }
  public static var unlock: FocusTarget { FocusTarget(rawValue: "unlock") }
}

/// Moves the keyboard focus.
///
/// The shell does it once for each new `serial`.
public struct FocusRequest: Equatable, Sendable {
  public let target: FocusTarget
  public let serial: Int64
}
