internal import SignInFlow
internal import SignInModel
internal import SignInRules
internal import SignInService

// The people at the windows, who look at the screen and do what people do there.
extension Simulation {
  func act(at window: SimulatedWindow) {
    plan(.person(window.number), in: 1000...20_000)
    guard window.isOpen else { return }
    if chance.isOne(in: 30) { return kill(window) }
    if chance.isOne(in: 10) { return happen(.networkReturned, in: window) }
    switch window.flow.stage {
    // Neither app asks to be unlocked in these worlds.
    case .starting, .readingStorage, .locked, .confirming: break
    case .storageUnreadable:
      happen(.buttonPressed(chance.isOne(in: 5) ? .signInAgain : .tryAgain), in: window)
    case .signedOut(let form): signIn(form, at: window)
    case .riderSignedOut(let form): signIn(form, at: window)
    case .signedIn:
      let button: ButtonName = chance.isOne(in: 15) ? .signOut : .refresh
      note(button == .signOut ? "signs out" : "refreshes", window.number)
      happen(.buttonPressed(button), in: window)
    }
  }

  // MARK: Technicians

  private func signIn(_ form: TechnicianSignIn, at window: SimulatedWindow) {
    switch form.step {
    case .enteringCredentials: logIn(at: window)
    case .enteringCode(let code) where code.activity == .entering: enterCode(at: window)
    case .submittingCredentials:
      if chance.isOne(in: 10) { happen(.buttonPressed(.cancel), in: window) }
    case .enteringCode:
      if chance.isOne(in: 20) { happen(.buttonPressed(.back), in: window) }
    case .locked(_, let canReset):
      if canReset { happen(.buttonPressed(.forgotPassword), in: window) }
    case .resettingPassword(let reset): choosePassword(reset, at: window)
    case .acceptingInvitation: happen(.buttonPressed(.back), in: window)
    case .finished: break
    }
  }

  private func logIn(at window: SimulatedWindow) {
    let person = window.device.person
    let account = server.store.tables.accounts[person.account.id]
    if chance.isOne(in: account?.passwordHash == nil ? 2 : 15) {
      note("has forgotten the password", window.number)
      return happen(.buttonPressed(.forgotPassword), in: window)
    }
    let isMistyped = chance.isOne(in: 6)
    let password = isMistyped ? "mistyped" : password(of: person)
    note("logs in", window.number, isMistyped ? 0 : 1)
    happen(.fieldEdited(.email, person.username), in: window)
    happen(.fieldEdited(.password, password), in: window)
    if window.isOpen { happen(.buttonPressed(.login), in: window) }
  }

  private func choosePassword(_ reset: SignInFlow.PasswordReset, at window: SimulatedWindow) {
    let person = window.device.person
    switch reset.step {
    case .enteringEmail:
      if chance.isOne(in: 12) { return happen(.buttonPressed(.back), in: window) }
      note("asks for a reset", window.number)
      happen(.fieldEdited(.email, person.username), in: window)
      if window.isOpen { happen(.buttonPressed(.sendCode), in: window) }
    case .askingForCode:
      if chance.isOne(in: 10) { happen(.buttonPressed(.back), in: window) }
    case .enteringCode(let code) where code.activity == .entering:
      let password = chance.isOne(in: 10) ? "short" : "lichen on wood \(chance.below(1000))"
      happen(.fieldEdited(.newPassword, password), in: window)
      if window.isOpen { enterCode(at: window, for: .passwordReset) }
    case .enteringCode:
      if chance.isOne(in: 20) { happen(.buttonPressed(.back), in: window) }
    }
  }

  // MARK: Riders

  private func signIn(_ form: RiderSignIn, at window: SimulatedWindow) {
    switch form.step {
    case .enteringNumber: askForCode(at: window)
    case .enteringCode(let code) where code.activity == .entering:
      enterCode(at: window, wayBack: .changeNumber)
    case .sendingCode:
      if chance.isOne(in: 10) { happen(.buttonPressed(.cancel), in: window) }
    case .enteringCode:
      if chance.isOne(in: 20) { happen(.buttonPressed(.changeNumber), in: window) }
    case .locked:
      if chance.isOne(in: 4) { happen(.buttonPressed(.changeNumber), in: window) }
    case .signingUp(let registration): register(registration, at: window)
    case .finished: break
    }
  }

  private func askForCode(at window: SimulatedWindow) {
    let person = window.device.person
    let isKnown = server.store.tables.accounts.values.contains { $0.phone == person.account.phone }
    if chance.isOne(in: isKnown ? 30 : 2) {
      return happen(.buttonPressed(.signUp), in: window)
    }
    note("asks for a code", window.number)
    happen(.fieldEdited(.phone, Self.localNumber(of: person)), in: window)
    if window.isOpen { happen(.buttonPressed(.sendCode), in: window) }
  }

  private func register(_ registration: RiderRegistration, at window: SimulatedWindow) {
    let person = window.device.person
    switch registration.step {
    case .enteringDetails:
      if chance.isOne(in: 12) { return happen(.buttonPressed(.back), in: window) }
      note("registers", window.number)
      happen(.fieldEdited(.name, person.account.name), in: window)
      happen(.fieldEdited(.phone, Self.localNumber(of: person)), in: window)
      if window.isOpen { happen(.buttonPressed(.register), in: window) }
    case .sending:
      if chance.isOne(in: 10) { happen(.buttonPressed(.back), in: window) }
    case .sent: happen(.buttonPressed(.back), in: window)
    case .left: break
    }
  }

  /// The number without its country, which stands beside the field.
  private static func localNumber(of person: SimulatedPeople.Person) -> String {
    String(person.account.phone.e164.dropFirst("+91".utf8.count))
  }

  // MARK: Codes

  private func enterCode(
    at window: SimulatedWindow, for purpose: CodeChallenge.Purpose = .signIn,
    wayBack: ButtonName = .back
  ) {
    if chance.isOne(in: 12) { return happen(.buttonPressed(wayBack), in: window) }
    if chance.isOne(in: 6) || received(by: window.device.person, for: purpose).isEmpty {
      note("asks for another code", window.number)
      return happen(.buttonPressed(.resend), in: window)
    }
    let code = typedCode(of: window.device.person, for: purpose)
    note("types a code", window.number)
    happen(.fieldEdited(.code, code), in: window)
    if window.isOpen { happen(.buttonPressed(.verify), in: window) }
  }

  /// The newest code in the messages, now and then an older one or a slip.
  func typedCode(
    of person: SimulatedPeople.Person, for purpose: CodeChallenge.Purpose = .signIn
  ) -> String {
    let other = CodeChallenge.Purpose.allCases.first { $0 != purpose } ?? purpose
    // Somebody who does not read takes the code of one thing for that of another.
    let isMistaken = chance.isOne(in: 20)
    let codes = received(by: person, for: isMistaken ? other : purpose)
    if chance.isOne(in: 8) || codes.isEmpty { return wrongCode() }
    if chance.isOne(in: 8) { return chance.pick(codes) }
    return codes[codes.count - 1]
  }

  func wrongCode() -> String { String(String(chance.between(1_000_000...1_999_999)).dropFirst()) }
}
