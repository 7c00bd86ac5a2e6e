internal import SignInFlow
internal import SignInModel
internal import SignInRules
internal import SignInService

// The people at the tabs. They react to the screen as people do.
extension Simulation {
  func act(at tab: SimulatedTab) {
    plan(.person(tab.number), in: 1000...20_000)
    guard tab.isOpen else { return }
    if chance.isOne(in: 30) { return kill(tab) }
    if chance.isOne(in: 10) { return happen(.device(.networkReturned), in: tab) }
    switch tab.stage {
    case .other: break
    case .storageUnreadable:
      happen(.page(.buttonPressed(chance.isOne(in: 5) ? .signInAgain : .tryAgain)), in: tab)
    case .signedOut(let form): signIn(form, at: tab)
    case .riderSignedOut(let form): signIn(form, at: tab)
    case .signedIn:
      let button: ButtonName = chance.isOne(in: 15) ? .signOut : .refresh
      note(button == .signOut ? "signs out" : "refreshes", tab.number)
      happen(.page(.buttonPressed(button)), in: tab)
    }
  }

  // MARK: Technicians

  private func signIn(_ form: TechnicianSignIn, at tab: SimulatedTab) {
    switch form.step {
    case .enteringCredentials: logIn(at: tab)
    case .enteringCode(let code) where code.verification.activity == .entering: enterCode(at: tab)
    case .submittingCredentials:
      if chance.isOne(in: 10) { happen(.page(.buttonPressed(.cancel)), in: tab) }
    case .enteringCode:
      if chance.isOne(in: 20) { happen(.page(.buttonPressed(.back)), in: tab) }
    case .locked(_, let canReset):
      if canReset { happen(.page(.buttonPressed(.forgotPassword)), in: tab) }
    case .resettingPassword(let reset): choosePassword(reset, at: tab)
    case .acceptingInvitation: happen(.page(.buttonPressed(.back)), in: tab)
    case .finished: break
    }
  }

  private func logIn(at tab: SimulatedTab) {
    let person = tab.device.person
    let account = server.store.tables.accounts[person.account.id]
    if chance.isOne(in: account?.passwordHash == nil ? 2 : 15) {
      note("has forgotten the password", tab.number)
      return happen(.page(.buttonPressed(.forgotPassword)), in: tab)
    }
    let isMistyped = chance.isOne(in: 6)
    let password = isMistyped ? "mistyped" : password(of: person)
    note("logs in", tab.number, isMistyped ? 0 : 1)
    happen(.page(.fieldEdited(.email, Secret(person.username))), in: tab)
    happen(.page(.fieldEdited(.password, Secret(password))), in: tab)
    if tab.isOpen { happen(.page(.buttonPressed(.login)), in: tab) }
  }

  private func choosePassword(_ reset: PasswordResetForm, at tab: SimulatedTab) {
    let person = tab.device.person
    switch reset.step {
    case .enteringEmail:
      if chance.isOne(in: 12) { return happen(.page(.buttonPressed(.back)), in: tab) }
      note("asks for a reset", tab.number)
      happen(.page(.fieldEdited(.email, Secret(person.username))), in: tab)
      if tab.isOpen { happen(.page(.buttonPressed(.sendCode)), in: tab) }
    case .askingForCode:
      if chance.isOne(in: 10) { happen(.page(.buttonPressed(.back)), in: tab) }
    case .enteringCode(let code) where code.verification.activity == .entering:
      let password = chance.isOne(in: 10) ? "short" : "lichen on wood \(chance.below(1000))"
      happen(.page(.fieldEdited(.newPassword, Secret(password))), in: tab)
      if tab.isOpen { enterCode(at: tab, for: .passwordReset) }
    case .enteringCode:
      if chance.isOne(in: 20) { happen(.page(.buttonPressed(.back)), in: tab) }
    }
  }

  // MARK: Riders

  private func signIn(_ form: RiderSignIn, at tab: SimulatedTab) {
    switch form.step {
    case .enteringNumber: askForCode(at: tab)
    case .enteringCode(let code) where code.verification.activity == .entering:
      enterCode(at: tab, wayBack: .changeNumber)
    case .sendingCode:
      if chance.isOne(in: 10) { happen(.page(.buttonPressed(.cancel)), in: tab) }
    case .enteringCode:
      if chance.isOne(in: 20) { happen(.page(.buttonPressed(.changeNumber)), in: tab) }
    case .locked:
      if chance.isOne(in: 4) { happen(.page(.buttonPressed(.changeNumber)), in: tab) }
    case .signingUp(let registration): register(registration, at: tab)
    case .finished: break
    }
  }

  private func askForCode(at tab: SimulatedTab) {
    let person = tab.device.person
    let isKnown = server.store.tables.accounts.values.contains { $0.phone == person.account.phone }
    if chance.isOne(in: isKnown ? 30 : 2) {
      return happen(.page(.buttonPressed(.signUp)), in: tab)
    }
    note("asks for a code", tab.number)
    happen(.page(.fieldEdited(.phone, Secret(Self.localNumber(of: person)))), in: tab)
    if tab.isOpen { happen(.page(.buttonPressed(.sendCode)), in: tab) }
  }

  private func register(_ registration: RiderRegistration, at tab: SimulatedTab) {
    let person = tab.device.person
    switch registration.step {
    case .enteringDetails:
      if chance.isOne(in: 12) { return happen(.page(.buttonPressed(.back)), in: tab) }
      note("registers", tab.number)
      happen(.page(.fieldEdited(.name, Secret(person.account.name))), in: tab)
      happen(.page(.fieldEdited(.phone, Secret(Self.localNumber(of: person)))), in: tab)
      if tab.isOpen { happen(.page(.buttonPressed(.register)), in: tab) }
    case .sending:
      if chance.isOne(in: 10) { happen(.page(.buttonPressed(.back)), in: tab) }
    case .sent: happen(.page(.buttonPressed(.back)), in: tab)
    }
  }

  /// The number without its country code, which is shown beside the field.
  private static func localNumber(of person: SimulatedPeople.Person) -> String {
    String(person.account.number.e164.dropFirst("+91".utf8.count))
  }

  // MARK: Codes

  private func enterCode(
    at tab: SimulatedTab, for purpose: CodeChallenge.Purpose = .signIn,
    wayBack: ButtonName = .back
  ) {
    if chance.isOne(in: 12) { return happen(.page(.buttonPressed(wayBack)), in: tab) }
    if chance.isOne(in: 6) || received(by: tab.device.person, for: purpose).isEmpty {
      note("asks for another code", tab.number)
      return happen(.page(.buttonPressed(.resend)), in: tab)
    }
    let code = typedCode(of: tab.device.person, for: purpose)
    note("types a code", tab.number)
    happen(.page(.fieldEdited(.code, Secret(code))), in: tab)
    if tab.isOpen { happen(.page(.buttonPressed(.verify)), in: tab) }
  }

  /// The newest received code, or sometimes an older one or a mistyped one.
  func typedCode(
    of person: SimulatedPeople.Person, for purpose: CodeChallenge.Purpose = .signIn
  ) -> String {
    let other = CodeChallenge.Purpose.allCases.first { $0 != purpose } ?? purpose
    // A careless person confuses the codes of a sign-in and of a reset.
    let isMistaken = chance.isOne(in: 20)
    let codes = received(by: person, for: isMistaken ? other : purpose)
    if chance.isOne(in: 8) || codes.isEmpty { return wrongCode() }
    if chance.isOne(in: 8) { return chance.pick(codes) }
    return codes[codes.count - 1]
  }

  func wrongCode() -> String { String(String(chance.between(1_000_000...1_999_999)).dropFirst()) }
}
