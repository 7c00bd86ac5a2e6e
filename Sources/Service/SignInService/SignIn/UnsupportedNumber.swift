import SignInModel
import SignInRules
import SignInWire

/// The reason why an app sends no message to a number, as the security log names it.
enum UnsupportedNumberReason: String, Sendable {
  case country
  case lineType = "line_type"
}

extension AppRegistration {
  /// The reason why the app does not send messages to this number; nil if it sends them.
  ///
  /// The country must be one of the listed ones. Without a list, it must be the default country of
  /// the number field. Without a default, every country is allowed, because messages go to
  /// registered numbers only. If the organization lists countries, the country must be one of them,
  /// too. The kind of line must be allowed.
  func reasonNotToSend(to phone: PhoneNumber) -> UnsupportedNumberReason? {
    let allowed = policy.countries.isEmpty ? defaultCountry.map { [$0] } ?? [] : policy.countries
    let lists = [allowed, policy.organizationCountries ?? []]
    let isAllowed = lists.allSatisfy { $0.isEmpty || phone.begins(withAny: $0) }
    if !isAllowed { return .country }
    return lineTypes.contains(LineType(of: phone)) ? nil : .lineType
  }

  /// The same for a number without an account, which the person of the account wants to have.
  ///
  /// If nothing lists countries, the calling code must be that of the person's number.
  func reasonNotToSend(
    to phone: PhoneNumber, newFor account: Account
  ) -> UnsupportedNumberReason? {
    let isListed =
      !policy.countries.isEmpty || defaultCountry != nil
      || policy.organizationCountries?.isEmpty == false
    if !isListed, phone.callingCode != account.phone?.callingCode { return .country }
    return reasonNotToSend(to: phone)
  }
}

extension Refusal {
  /// The error code is the one of every limit, because the contract fixes it.
  ///
  /// The text names the reason.
  static func notServed(
    _ why: UnsupportedNumberReason, until: Instant, at now: Instant
  ) -> Refusal {
    let words =
      switch why {
      case .country: "the number's country is not served; nothing was sent or counted"
      case .lineType: "numbers of this kind are not served; nothing was sent or counted"
      }
    return .rateLimited(words, reason: "\(why.rawValue)_not_served", until: until, at: now)
  }
}
