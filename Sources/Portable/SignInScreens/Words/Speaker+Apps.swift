import SignInFlow

/// Where the apps say the same thing in their own words.
extension Speaker {
  var wrongCode: Sentence { app == .rider ? .riderCodeRefused : .codeRefused }

  var expiredCode: String { say(app == .rider ? .riderCodeExpired : .codeExpired) }

  var notRegistered: Sentence { app == .rider ? .numberNotRegistered : .emailNotRegistered }

  func riderLock(minutes left: Int64) -> String {
    left <= 1 ? say(.riderLockedMinute) : say(.riderLockedMinutes, "minutes", "\(left)")
  }

  func malformedNumber(_ country: MobileNumber.Country) -> String {
    say(country == MobileNumber.india ? .numberMalformedTen : .numberMalformed)
  }

  // MARK: The home screen

  var home: Sentence { app == .rider ? .dashboard : .assignedJobs }

  var loadingHome: Sentence { app == .rider ? .loadingDeliveries : .loadingJobs }

  var homeUnknown: Sentence { app == .rider ? .deliveriesUnknownTitle : .jobsUnknownTitle }

  var offlineHome: Sentence { app == .rider ? .offlineDeliveriesAsOf : .offlineAsOf }

  var staleHome: Sentence { app == .rider ? .staleDeliveriesAsOf : .staleAsOf }

  func listed(_ count: Int64) -> String {
    if count == 1 { return say(app == .rider ? .deliveryListed : .jobListed) }
    return say(app == .rider ? .deliveriesListed : .jobsListed, "count", "\(count)")
  }
}
