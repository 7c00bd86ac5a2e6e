import SignInModel

/// The addresses to which a browser brings the result of a sign-in to an app (RFC 8252, RFC 9700).
public enum RedirectURI {
  public static let lengthLimit = 512

  /// What is wrong with a redirect URI of the configuration; nil if it is valid.
  static func problem(_ text: String) -> String? {
    guard text.utf8.count <= lengthLimit, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      return "is not a URL"
    }
    if text.contains("#") { return "has a fragment" }
    // All characters are compared, so that a wildcard would match nothing but itself.
    if text.contains("*") { return "has a wildcard, and each address must be written out" }
    if let address = WebAddress(parsing: text) {
      // `localhost` can resolve to another machine (RFC 8252, section 8.3).
      if address.isLoopback, address.host == "localhost" {
        return "names localhost instead of 127.0.0.1"
      }
      return address.isSecure || address.isLoopback
        ? nil : "uses http, which anyone on the way can read"
    }
    return isPrivateScheme(text) ? nil : "is not the address of an app"
  }

  /// Whether the app with these redirect URIs may receive a result at `text`.
  ///
  /// The port of a registered loopback address without a port may vary, because the system chooses
  /// it (RFC 8252, section 7.3). All other addresses must be equal byte by byte.
  static func permits(_ text: String, registered: [String]) -> Bool {
    if registered.contains(where: { $0.hasSameBytes(as: text) }) { return true }
    guard let without = withoutLoopbackPort(text) else { return false }
    return registered.contains { $0.hasSameBytes(as: without) }
  }

  /// `http://127.0.0.1:49152/path` without its port; nil for every other address.
  private static func withoutLoopbackPort(_ text: String) -> String? {
    for host in ["127.0.0.1", "[::1]"] {
      let start = "http://" + host
      guard text.hasPrefix(start + ":"), let address = WebAddress(parsing: text),
        address.isLoopback, !address.isSecure
      else { continue }
      return start + address.rest
    }
    return nil
  }

  /// A scheme in reverse domain form and one slash, such as `com.example.app:/path` (RFC 8252,
  /// section 7.1).
  private static func isPrivateScheme(_ text: String) -> Bool {
    guard let colon = text.firstIndex(of: ":") else { return false }
    let scheme = text[..<colon]
    let rest = text[text.index(after: colon)...]
    return scheme.contains(".") && Host.isName(scheme) && rest.hasPrefix("/")
      && !rest.hasPrefix("//")
  }
}
