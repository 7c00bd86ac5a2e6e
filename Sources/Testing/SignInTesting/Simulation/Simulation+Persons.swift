internal import SignInEngine
internal import SignInFlow
internal import SignInModel
internal import SignInRules
internal import SignInService

// The people at the tabs. They react to the screen as people do.
extension Simulation {
  func act(at tab: SimulatedTab) {
    planAct(at: tab, in: pause(at: tab))
    guard tab.isOpen else { return }
    if tab.isHidden {
      if haveConditionsEnded || chance.isOne(in: 3) { show(tab) }
      return
    }
    if !haveConditionsEnded {
      if chance.isOne(in: 25) { return kill(tab) }
      if chance.isOne(in: 20) { return happen(.device(.networkReturned), in: tab) }
      if may(.devices), chance.isOne(in: 8) { return hide(tab) }
    }
    switch tab.stage {
    case .opening, .atProvider: return
    case .storageUnreadable:
      press(chance.isOne(in: 12) && !haveConditionsEnded ? .signInAgain : .tryAgain, at: tab)
    case .signedOut(let form): signIn(form, at: tab)
    case .riderSignedOut(let form): signIn(form, at: tab)
    case .locked:
      press(chance.isOne(in: 12) && !haveConditionsEnded ? .useAnotherWay : .unlock, at: tab)
    case .confirming:
      if !haveConditionsEnded, chance.isOne(in: 20) { return signOut(tab) }
      press(.tryAgain, at: tab)
    case .signedIn: useApp(at: tab)
    }
  }

  /// The time until the person acts again.
  private func pause(at tab: SimulatedTab) -> ClosedRange<Int64> {
    guard haveConditionsEnded else { return 1000...25_000 }
    return tab.session == nil ? 500...1500 : 8000...20_000
  }

  /// Whether a person does something careless that happens once in so many times.
  private func isCareless(onceIn times: Int) -> Bool {
    may(.mistakes) && chance.isOne(in: times)
  }

  // MARK: Technicians and mentors

  private func signIn(_ form: TechnicianSignIn, at tab: SimulatedTab) {
    switch form.step {
    case .enteringCredentials: logIn(at: tab)
    case .enteringCode(let code) where code.verification.activity == .entering: enterCode(at: tab)
    case .submittingCredentials: if isCareless(onceIn: 10) { press(.cancel, at: tab) }
    case .enteringCode: if isCareless(onceIn: 20) { press(.back, at: tab) }
    case .locked(_, let canReset):
      press(canReset && may(.mistakes) ? .forgotPassword : .back, at: tab)
    case .resettingPassword(let reset): choosePassword(reset, at: tab)
    case .acceptingInvitation: press(.back, at: tab)
    case .finished: break
    }
  }

  private func logIn(at tab: SimulatedTab) {
    let person = tab.device.person
    let hasPassword = server.store.tables.accounts[person.account.id]?.passwordHash != nil
    if hasPassword ? isCareless(onceIn: 15) : chance.isOne(in: 2) {
      note("has forgotten the password", tab.number)
      return press(.forgotPassword, at: tab)
    }
    let isMistyped = isCareless(onceIn: 6)
    let password = isMistyped ? "mistyped" : password(of: person)
    note("logs in", tab.number, isMistyped ? 0 : 1)
    happen(.page(.fieldEdited(.email, Secret(person.username))), in: tab)
    happen(.page(.fieldEdited(.password, Secret(password))), in: tab)
    if tab.isOpen { press(.login, at: tab) }
  }

  private func choosePassword(_ reset: PasswordResetForm, at tab: SimulatedTab) {
    let person = tab.device.person
    switch reset.step {
    case .enteringEmail:
      if isCareless(onceIn: 12) { return press(.back, at: tab) }
      note("asks for a reset", tab.number)
      happen(.page(.fieldEdited(.email, Secret(person.username))), in: tab)
      if tab.isOpen { press(.sendCode, at: tab) }
    case .askingForCode: if isCareless(onceIn: 10) { press(.back, at: tab) }
    case .enteringCode(let code) where code.verification.activity == .entering:
      let password = isCareless(onceIn: 10) ? "short" : "lichen on wood \(chance.below(1000))"
      happen(.page(.fieldEdited(.newPassword, Secret(password))), in: tab)
      if tab.isOpen { enterCode(at: tab, for: .passwordReset) }
    case .enteringCode: if isCareless(onceIn: 20) { press(.back, at: tab) }
    }
  }

  // MARK: Riders

  private func signIn(_ form: RiderSignIn, at tab: SimulatedTab) {
    switch form.step {
    case .enteringNumber: askForCode(at: tab)
    case .enteringCode(let code) where code.verification.activity == .entering:
      enterCode(at: tab, wayBack: .changeNumber)
    case .sendingCode: if isCareless(onceIn: 10) { press(.cancel, at: tab) }
    case .enteringCode: if isCareless(onceIn: 20) { press(.changeNumber, at: tab) }
    case .locked: if chance.isOne(in: 4) { press(.changeNumber, at: tab) }
    case .signingUp(let registration): register(registration, at: tab)
    case .finished: break
    }
  }

  private func askForCode(at tab: SimulatedTab) {
    let person = tab.device.person
    let isKnown = server.store.tables.accounts.values.contains { $0.phone == person.account.phone }
    if isKnown ? isCareless(onceIn: 30) : chance.isOne(in: 2) {
      return press(.signUp, at: tab)
    }
    note("asks for a code", tab.number)
    happen(.page(.fieldEdited(.phone, Secret(Self.localNumber(of: person)))), in: tab)
    if tab.isOpen { press(.sendCode, at: tab) }
  }

  private func register(_ registration: RiderRegistration, at tab: SimulatedTab) {
    let person = tab.device.person
    switch registration.step {
    case .enteringDetails:
      if chance.isOne(in: 12) { return press(.back, at: tab) }
      note("registers", tab.number)
      happen(.page(.fieldEdited(.name, Secret(person.account.name))), in: tab)
      happen(.page(.fieldEdited(.phone, Secret(Self.localNumber(of: person)))), in: tab)
      if tab.isOpen { press(.register, at: tab) }
    case .sending: if isCareless(onceIn: 10) { press(.back, at: tab) }
    case .enteringCode, .sent, .approved: press(.back, at: tab)
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
    if isCareless(onceIn: 12) { return press(wayBack, at: tab) }
    guard let code = nextCode(of: tab.device.person, for: purpose) else {
      note("asks for another code", tab.number)
      return press(!may(.mistakes) && chance.isOne(in: 6) ? wayBack : .resend, at: tab)
    }
    note("types a code", tab.number)
    happen(.page(.fieldEdited(.code, Secret(code))), in: tab)
    if tab.isOpen { press(.verify, at: tab) }
  }

  /// The code that a person enters, or `nil` if the person asks for another one.
  private func nextCode(
    of person: SimulatedPeople.Person, for purpose: CodeChallenge.Purpose
  ) -> String? {
    guard may(.mistakes) else { return takeUnusedCode(of: person, for: purpose) }
    if chance.isOne(in: 6) || received(by: person, for: purpose).isEmpty { return nil }
    return typedCode(of: person, for: purpose)
  }
}
