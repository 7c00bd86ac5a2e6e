import SignInFlow

/// Where the apps say the same thing in their own words.
extension Speaker {
  /// Technicians are given an account; owners of products made their own.
  var signInLead: Sentence { app == .product ? .signInLeadOwn : .signInLead }

  var wrongCode: Sentence { app == .rider ? .riderCodeRefused : .codeRefused }

  var expiredCode: String { say(app == .rider ? .riderCodeExpired : .codeExpired) }

  var notRegistered: Sentence { app == .rider ? .numberNotRegistered : .emailNotRegistered }

  func riderLock(minutes left: Int64) -> String {
    left <= 1 ? say(.riderLockedMinute) : say(.riderLockedMinutes, "minutes", format.number(left))
  }

  func malformedNumber(_ country: MobileNumber.Country) -> String {
    say(country == MobileNumber.india ? .numberMalformedTen : .numberMalformed)
  }

  /// Those who have a sentence are named in the person's language.
  func name(of country: MobileNumber.Country) -> String {
    switch country.callingCode {
    case "+91": say(.countryIndia)
    case "+880": say(.countryBangladesh)
    case "+977": say(.countryNepal)
    case "+65": say(.countrySingapore)
    case "+94": say(.countrySriLanka)
    case "+971": say(.countryEmirates)
    case "+44": say(.countryUnitedKingdom)
    case "+1": say(.countryNorthAmerica)
    default: country.name
    }
  }

  // MARK: Home screens

  func jobsListed(_ count: Int64) -> String {
    say(.jobsListed, one: .jobListed, count: count)
  }

  func deliveriesListed(_ count: Int64) -> String {
    say(.deliveriesListed, one: .deliveryListed, count: count)
  }
}
