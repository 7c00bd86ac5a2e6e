import SignInModel
import SignInWire

/// The format of a text in a configuration.
enum TextFormat: Equatable, Sendable {
  /// One line for people.
  case line
  /// A name that people see, by the same rules as a name that a person types.
  case name
  case identifier
  /// A path in the file system.
  case path
  case environmentVariable
  case issuer
  /// The issuer of this server.
  ///
  /// It has no path, because the routes begin at the root of the host.
  case ownIssuer
  /// The issuer of an identity provider, byte by byte as its tokens contain it.
  case providerIssuer
  /// The address to which a browser brings the result of a sign-in to an app.
  case redirectURI
  case secureURL
  /// An e-mail address or a web page: `mailto:` or `https:`.
  case contact
  case listenAddress
  case storeLocation([StoreKind])
  case callingCode
  case scope
  /// The name of an API in tokens (RFC 8707): an absolute URI without a fragment.
  case resource
  /// The origin of a web page in the form that browsers send (RFC 6454).
  case origin
  /// The name of a claim that is not a standard claim.
  case claimName
  case hostName
  /// One address, or a network such as `10.0.0.0/8`.
  case networkRange
  case appHash
  /// A plus and the first digits of phone numbers.
  case numberStart
  /// A calling code, or a range of numbers inside one.
  case numberPrefix
  /// The text of a message with a place for the code.
  case message

  static let lineLengthLimit = 200

  /// What is wrong with the text, as the rest of a sentence; `nil` if it is valid.
  func problem(_ text: String) -> String? {
    switch self {
    case .line, .path: Self.isLine(text) ? nil : "is blank, too long, or more than one line"
    case .name:
      Self.isLine(text) && Self.name(in: text) != nil
        ? nil : "is empty, too long, or has an invisible character"
    case .identifier:
      Self.isWord(text, of: "-_.", limit: 64) ? nil : "is not an identifier"
    case .environmentVariable:
      Self.isWord(text, of: "_", limit: 128) ? nil : "is not the name of an environment variable"
    case .issuer: Self.issuerProblem(text)
    case .ownIssuer: Self.issuerProblem(text) ?? Self.pathProblem(text)
    case .providerIssuer: Self.providerIssuerProblem(text)
    case .redirectURI: RedirectURI.problem(text)
    case .secureURL: Self.urlProblem(text)
    case .contact: Self.contactProblem(text)
    case .listenAddress:
      ListenAddress(parsing: text) == nil ? "is not an address with a port from 0 to 65535" : nil
    case .storeLocation(let kinds): Self.storeProblem(text, kinds)
    case .callingCode: Self.isCallingCode(text) ? nil : "is not a calling code"
    case .scope: Self.isScope(text) ? nil : "is not a scope"
    case .resource: Self.resourceProblem(text)
    case .origin: Self.originProblem(text)
    case .claimName: Self.claimProblem(text)
    case .hostName: Host.isName(text) || Host.isIPv6(text) ? nil : "is not the name of a machine"
    case .numberStart:
      (2...12).contains(text.utf8.count) && text.first == "+" && !text.hasPrefix("+0")
        && text.dropFirst().utf8.allSatisfy(Host.isDigit)
        ? nil : "is not the beginning of phone numbers"
    case .numberPrefix:
      NumberPrefix(text) == nil ? "is not a calling code, with or without further digits" : nil
    case .appHash:
      text.utf8.count == 11 && Self.isWord(text, of: "+/", limit: 11)
        ? nil : "is not the hash of an app"
    case .networkRange: Self.rangeProblem(text)
    case .message: MessageTemplate.problem(text)
    }
  }

  /// How to correct it, as an imperative.
  var remedy: String {
    switch self {
    case .line: "write one line of 1 to \(Self.lineLengthLimit) characters"
    case .name:
      "write one line of 1 to \(Self.lineLengthLimit) characters, without marks that change the"
        + " direction of writing"
    case .identifier: "write 1 to 64 letters, digits, \"-\", \"_\" or \".\""
    case .path: "write the path of a file, such as /etc/fieldpass/key.pem"
    case .environmentVariable: "write a name such as FIELDPASS_SECRET"
    case .issuer, .ownIssuer:
      "write the address at which people reach the server, such as https://id.example.com"
    case .providerIssuer:
      "write the issuer as the provider documents it, such as https://login.example.com"
    case .redirectURI:
      "write an address such as https://app.example.com/signed-in, http://127.0.0.1/signed-in or"
        + " com.example.app:/signed-in"
    case .secureURL: "write an address such as https://example.com/path"
    case .contact: "write mailto:security@example.com or https://example.com/security"
    case .listenAddress: "write an address and a port, such as 127.0.0.1:8080 or [::1]:8080"
    case .storeLocation(let kinds): kinds.map(\.remedy).joined(separator: ", or ")
    case .callingCode: "write a plus and 1 to 3 digits, such as +47"
    case .scope: "write a word such as openid, without spaces or quotes"
    case .resource: "write an address such as https://api.example.com"
    case .origin: "write an origin such as https://app.example.com"
    case .claimName: "write your own name, such as https://example.com/role"
    case .hostName: "write a name such as gateway.example.com"
    case .numberStart: "write a plus and the first digits, such as +47 or +4790"
    case .numberPrefix: "write a plus and 1 to 3 digits, such as +47, or a range such as +1-242"
    case .appHash: "write the 11 characters that Android computes from package and certificate"
    case .networkRange: "write an address such as 192.0.2.7, or a network such as 10.0.0.0/8"
    case .message:
      "write up to \(PolicyKey.textLengthLimit) characters with the placeholder {code}, and"
        + " optionally {minutes} and {host}; either all placeholders have their registered type,"
        + " as in {code:numeric}, {minutes:numeric} and {host:url}, or none has one"
    }
  }
}

extension TextFormat {
  /// The regular expression of the schema; `nil` if the format has none.
  var pattern: String? {
    switch self {
    case .identifier: "^[A-Za-z0-9_.-]{1,64}$"
    case .environmentVariable: "^[A-Za-z0-9_]{1,128}$"
    case .appHash: "^[A-Za-z0-9+/]{11}$"
    case .line, .name, .path, .issuer, .ownIssuer, .providerIssuer, .redirectURI, .secureURL,
      .contact, .listenAddress,
      .storeLocation, .callingCode, .scope, .resource, .origin, .claimName, .hostName,
      .networkRange,
      .numberStart, .numberPrefix, .message:
      nil
    }
  }

  /// The name without spaces at its ends; `nil` if it is blank or has a deceptive character.
  static func name(in text: String) -> String? {
    guard !TypedText.isDeceptive(text) else { return nil }
    do throws(Malformed) { return try TextLine(parsing: text).text } catch { return nil }
  }

  private static func isLine(_ text: String) -> Bool {
    (1...lineLengthLimit).contains(text.count)
      && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
      && !TypedText.isBlank(text)
  }

  private static func isWord(_ text: String, of others: String, limit: Int) -> Bool {
    (1...limit).contains(text.utf8.count)
      && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || others.contains($0)) }
  }

  private static func urlProblem(_ text: String) -> String? {
    guard let address = WebAddress(parsing: text) else { return "is not a URL" }
    guard address.isSecure || address.isLoopback else {
      return "uses http, which anyone on the way can read"
    }
    return nil
  }

  private static func contactProblem(_ text: String) -> String? {
    let scheme = "mailto:"
    guard text.hasPrefix(scheme) else {
      let isSecure = WebAddress(parsing: text)?.isSecure == true
      return isSecure ? nil : "is neither a mailto nor an https address"
    }
    // Other programs read the address, so it has nothing around it.
    let address = text.dropFirst(scheme.count).lowercased()
    let problem = "has no e-mail address after mailto:"
    do throws(Malformed) {
      return try EmailAddress(parsing: address).text.hasSameBytes(as: address) ? nil : problem
    } catch {
      return problem
    }
  }

  private static func issuerProblem(_ text: String) -> String? {
    if let problem = urlProblem(text) { return problem }
    // RFC 8414, section 2: no query and no fragment.
    if hasQuery(text) { return "has a query or a fragment" }
    // Apps compare issuers byte by byte, so only one spelling is allowed.
    return text.hasSuffix("/") ? "ends with a slash" : nil
  }

  /// A provider's issuer may end with a slash.
  private static func providerIssuerProblem(_ text: String) -> String? {
    if let problem = urlProblem(text) { return problem }
    return hasQuery(text) ? "has a query or a fragment" : nil
  }

  private static func hasQuery(_ text: String) -> Bool {
    text.contains("?") || text.contains("#")
  }

  private static func resourceProblem(_ text: String) -> String? {
    let scheme = text.utf8.prefix { $0 != UInt8(ascii: ":") }
    guard isScope(text), scheme.count < text.utf8.count - 1,
      scheme.first.map({ Host.isLetter($0) }) == true,
      scheme.allSatisfy({ Host.isLetter($0) || Host.isDigit($0) || "+-.".utf8.contains($0) })
    else { return "is not an absolute URI" }
    return text.utf8.contains(UInt8(ascii: "#")) ? "has a fragment" : nil
  }

  private static func originProblem(_ text: String) -> String? {
    if let problem = urlProblem(text) { return problem }
    guard let address = WebAddress(parsing: text) else { return "is not an origin" }
    if !address.rest.isEmpty { return "has a path, but an origin ends with its host or port" }
    // Browsers send origins in lower case, and the server compares them byte by byte.
    return text.utf8.contains { (0x41...0x5A).contains($0) } ? "has capital letters" : nil
  }

  private static func rangeProblem(_ text: String) -> String? {
    do throws(Malformed) {
      _ = try NetworkRange(parsing: text)
      return nil
    } catch {
      guard let slash = text.lastIndex(of: "/") else { return "is not the address of one machine" }
      if text[text.index(after: slash)...] == "0" {
        return "would trust every machine to say who the client is"
      }
      return "is not the first address of a network with its number of bits"
    }
  }

  private static func claimProblem(_ text: String) -> String? {
    guard isScope(text) else { return "is not the name of a claim" }
    return TokenClaim.reservedNames.contains(text) ? "is a claim of the standards" : nil
  }

  private static func pathProblem(_ text: String) -> String? {
    guard let address = WebAddress(parsing: text), !address.rest.isEmpty else { return nil }
    return "has a path, but the server answers only at the root of its host"
  }

  private static func storeProblem(_ text: String, _ kinds: [StoreKind]) -> String? {
    for kind in kinds {
      if let detail = kind.detail(of: text) { return kind.problem(detail) }
    }
    return "is not the location of a store"
  }

  /// A calling code without further digits.
  private static func isCallingCode(_ text: String) -> Bool {
    NumberPrefix(text) != nil && !text.utf8.contains(UInt8(ascii: "-"))
  }

  /// RFC 6749, section 3.3.
  private static func isScope(_ text: String) -> Bool {
    (1...lineLengthLimit).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
      }
  }
}
