import JSONText
public import SignInModel

/// What a provider says about the person who signed in.
public struct ProviderClaims: Equatable, Sendable {
  /// The identifier of the person at the provider.
  public let subject: String
  public var name: PersonName?
  /// Only an address that the provider has verified.
  public var email: EmailAddress?
  /// Only a number that the provider has verified.
  public var phone: PhoneNumber?
  /// The class of the authentication (`acr`).
  public var assurance: String?
  /// The methods of the authentication (`amr`).
  public var methods: [String] = []
  public var authenticatedAt: Instant?
  /// The claims that the rules of the provider compare.
  var values = ClaimValues()

  init(subject: String) { self.subject = subject }

  init(_ token: VerifiedIDToken) {
    subject = token.subject
    assurance = token.assurance.flatMap(Self.word)
    methods = token.methods.prefix(Limits.methods).compactMap(Self.word)
    authenticatedAt = token.authenticatedAt
    read(token.claims)
  }

  /// The verified address and number.
  var recipients: [Recipient] {
    [email.map { .email($0) }, phone.map { .phone($0) }].compactMap { $0 }
  }

  enum Limits {
    /// Further methods of an answer are ignored.
    static let methods = 8
    /// The greatest length of a method or a class, in bytes.
    ///
    /// Longer ones are ignored.
    static let wordBytes = 64
  }

  /// A text without spaces, because a store separates words with a space.
  private static func word(_ text: String) -> String? {
    (1...Limits.wordBytes).contains(text.utf8.count)
      && text.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? text : nil
  }

  /// Adds the standard claims that are still absent (OpenID Connect Core, section 5.1).
  mutating func read(_ json: JSON) {
    if name == nil {
      name = json["name"]?.text.flatMap(PersonName.init(provided:)) ?? Self.fullName(json)
    }
    if email == nil, json.isVerified("email_verified") {
      email = json["email"]?.text.flatMap(Self.email)
    }
    if phone == nil, json.isVerified("phone_number_verified") {
      phone = json["phone_number"]?.text.flatMap(Self.phone)
    }
  }

  private static func fullName(_ json: JSON) -> PersonName? {
    let parts = [json["given_name"]?.text, json["family_name"]?.text].compactMap { $0 }
    return PersonName(provided: parts.joined(separator: " "))
  }

  private static func email(_ text: String) -> EmailAddress? {
    do throws(Malformed) { return try EmailAddress(parsing: text) } catch { return nil }
  }

  private static func phone(_ text: String) -> PhoneNumber? {
    do throws(Malformed) { return try PhoneNumber(parsing: text) } catch { return nil }
  }
}

extension JSON {
  /// Some providers write the text `true`.
  fileprivate func isVerified(_ name: String) -> Bool {
    self[name]?.flag ?? (self[name]?.text == "true")
  }
}
