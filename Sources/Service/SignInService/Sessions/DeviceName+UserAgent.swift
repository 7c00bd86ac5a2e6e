public import SignInWire

extension DeviceName {
  /// Longer values are not read.
  public static let userAgentByteLimit = 1024

  /// The name for a part of a `User-Agent` value.
  private typealias Sign = (part: String, name: String)

  /// The first sign that the value contains counts.
  ///
  /// Most browsers also name the browsers that they are compatible with, so the special ones come
  /// first.
  private static let browsers: [Sign] = [
    ("EdgA/", "Edge"), ("EdgiOS/", "Edge"), ("Edg/", "Edge"), ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"), ("Vivaldi/", "Vivaldi"), ("YaBrowser/", "Yandex"),
    ("DuckDuckGo/", "DuckDuckGo"), ("FxiOS/", "Firefox"), ("Firefox/", "Firefox"),
    ("CriOS/", "Chrome"), ("Chrome/", "Chrome"), ("Safari/", "Safari"),
  ]

  /// An iPad asks for the pages of a Mac, and then also names itself one.
  private static let systems: [Sign] = [
    ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("CrOS", "ChromeOS"),
    ("Windows", "Windows"), ("Macintosh", "Mac"), ("Linux", "Linux"),
  ]

  /// Reads a `User-Agent` field (RFC 9110, section 10.1.5); `nil` if it names nothing known.
  ///
  /// Only names of these tables are kept, and no versions, because they would tell devices apart.
  public init?(userAgent: String?) {
    guard let userAgent, userAgent.utf8.count <= Self.userAgentByteLimit else { return nil }
    func name(_ signs: [Sign]) -> String? { signs.first { userAgent.contains($0.part) }?.name }
    self.init(browser: name(Self.browsers), system: name(Self.systems))
  }
}
