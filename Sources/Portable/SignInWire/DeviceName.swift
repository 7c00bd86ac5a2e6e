public import JSONText

/// The browser and the system that a session began on, such as "Chrome" and "Windows".
///
/// A device can claim any name, so it helps a person to recognize a session and decides nothing.
public struct DeviceName: Equatable, Sendable {
  public let browser: String?
  public let system: String?

  /// `nil` if neither is known.
  public init?(browser: String?, system: String?) {
    guard browser != nil || system != nil else { return nil }
    self.browser = browser
    self.system = system
  }

  public init?(json: JSON?) {
    self.init(browser: json?.text(.browser), system: json?.text(.system))
  }

  public var json: JSON {
    .members([
      JSONMember(.browser, ifPresent: browser),
      JSONMember(.system, ifPresent: system),
    ])
  }
}
