import SignInEngine
import SignInFlow
import SignInModel

/// Sentences that differ between the apps.
extension Localizer {
  /// Technicians get an account from an administrator.
  ///
  /// Owners of products register themselves.
  var signInLead: Sentence { app == .product ? .signInLeadOwn : .signInLead }

  /// The name above a form.
  var mark: Part { .mark(id: "mark", name: say(.product), app: app.map { name(of: $0) } ?? "") }

  func name(of app: AppName) -> String {
    switch app {
    case .technician: say(.technicianApp)
    case .rider: say(.riderApp)
    case .product: say(.productApp)
    case .mentor: say(.mentorApp)
    case .console: say(.consoleApp)
    }
  }

  var wrongCode: Sentence { app == .rider ? .riderCodeRefused : .codeRefused }

  var expiredCode: String { say(app == .rider ? .riderCodeExpired : .codeExpired) }

  var notRegistered: Sentence { app == .rider ? .numberNotRegistered : .emailNotRegistered }

  func riderLock(minutes left: Int64) -> String {
    left <= 1 ? say(.riderLockedMinute) : say(.riderLockedMinutes, "minutes", format.number(left))
  }

  func malformedNumber(in region: String) -> String {
    say(region == "IN" ? .numberMalformedTen : .numberMalformed)
  }

  func malformed(_ number: MobileNumber) -> String {
    number.hasDoubtfulZero ? say(.numberZeroDoubtful) : malformedNumber(in: number.country.region)
  }

  // MARK: Home screens

  func jobsListed(_ count: Int64) -> String {
    say(.jobsListed, one: .jobListed, count: count)
  }

  func deliveriesListed(_ count: Int64) -> String {
    say(.deliveriesListed, one: .deliveryListed, count: count)
  }
}
