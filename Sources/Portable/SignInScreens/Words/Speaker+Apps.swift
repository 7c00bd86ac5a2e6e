import SignInFlow

/// Where the apps say the same thing in their own words.
extension Speaker {
  /// Technicians are given an account; owners of products made their own.
  var signInLead: Sentence { app == .product ? .signInLeadOwn : .signInLead }

  var wrongCode: Sentence { app == .rider ? .riderCodeRefused : .codeRefused }

  var expiredCode: String { say(app == .rider ? .riderCodeExpired : .codeExpired) }

  var notRegistered: Sentence { app == .rider ? .numberNotRegistered : .emailNotRegistered }

  func riderLock(minutes left: Int64) -> String {
    left <= 1 ? say(.riderLockedMinute) : say(.riderLockedMinutes, "minutes", "\(left)")
  }

  func malformedNumber(_ country: MobileNumber.Country) -> String {
    say(country == MobileNumber.india ? .numberMalformedTen : .numberMalformed)
  }

  // MARK: Home screens

  func jobsListed(_ count: Int64) -> String {
    count == 1 ? say(.jobListed) : say(.jobsListed, "count", "\(count)")
  }

  func deliveriesListed(_ count: Int64) -> String {
    count == 1 ? say(.deliveryListed) : say(.deliveriesListed, "count", "\(count)")
  }
}
