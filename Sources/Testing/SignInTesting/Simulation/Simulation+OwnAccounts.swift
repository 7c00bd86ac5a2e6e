internal import JSONText
internal import SignInEngine
internal import SignInModel
internal import SignInRules
internal import SignInService
internal import SignInWire

// What people do with their own accounts, and thieves with the sessions and mailboxes of others.
//
// It follows the end of all faults, so that the rest of each world stays the same.
extension Simulation {
  private static let minuteSeconds: Int64 = 60
  private static let daySeconds: Int64 = 24 * 60 * 60

  func useOwnAccounts() {
    guard laws.violation == nil, chance.isOne(in: 2) else { return }
    addUnprovedAccount()
    for _ in 0..<(10 + chance.below(20)) {
      guard laws.violation == nil else { return }
      passTime()
      act(as: chance.pick(profile.people))
    }
    for _ in 0..<8 where hasOpenErasure {
      move(to: clock.now().adding(seconds: Self.daySeconds))
      removeExpired()
    }
  }

  /// An account with an address and a number that an administrator only wrote.
  private func addUnprovedAccount() {
    let id = AccountID("una")
    server.store.tables.accounts[id] = Account(
      id: id, email: Self.address("una@example.com"), phone: Self.number("+15550101250"),
      name: "Una", role: .technician, status: .active, passwordHash: nil, organizations: [],
      createdAt: clock.now())
  }

  /// The addresses and numbers to which accounts change: new ones, proved ones, and unproved ones.
  private var targets: [Recipient] {
    let addresses = ["new@example.com", "thief@example.net", "una@example.com", "tom@example.com"]
    let numbers = ["+15550101251", "+15550101252", "+15550101250", "+15550101235"]
    return addresses.map { .email(Self.address($0)) } + numbers.map { .phone(Self.number($0)) }
  }

  private static func address(_ text: String) -> EmailAddress {
    do throws(Malformed) { return try EmailAddress(parsing: text) } catch {
      preconditionFailure("a simulated address is malformed")
    }
  }

  private static func number(_ text: String) -> PhoneNumber {
    do throws(Malformed) { return try PhoneNumber(parsing: text) } catch {
      preconditionFailure("a simulated number is malformed")
    }
  }

  private func act(as person: SimulatedPeople.Person) {
    // A new sign-in must return no tries for codes to a new address.
    if chance.isOne(in: 3) { ownTokens[person.account.id] = nil }
    switch chance.below(12) {
    case 0...4: changeContact(of: person)
    case 5: for _ in 0..<3 { guessCodes(of: person) }
    case 6...8: useLink()
    case 9: undoInApp(person)
    case 10: requestErasure(of: person)
    default: cancelErasure(of: person)
    }
    deliver()
  }

  // MARK: Time

  private var hasOpenErasure: Bool {
    server.store.tables.revocableChanges.values.contains {
      $0.kind == .erasure && $0.undoneAt == nil
    }
  }

  private func passTime() {
    let isLong = chance.isOne(in: 4)
    let seconds =
      isLong ? Self.daySeconds : chance.between(Self.minuteSeconds + 1...30 * Self.minuteSeconds)
    move(to: clock.now().adding(seconds: seconds))
    if isLong { removeExpired() }
  }

  private func removeExpired() {
    let (world, life) = (server.world, server.life)
    server.perform(SimulatedOperation(.background, in: life, isFromApp: false, at: clock.now())) {
      while await removeExpiredRecords(in: world) {}
    }
    settle()
  }

  /// Hands over what waits.
  private func deliver() {
    timers.set(clock.now())
    settle()
  }

  // MARK: Changes

  private func changeContact(of person: SimulatedPeople.Person) {
    let value = chance.pick(targets)
    guard let session = begin(value, as: person) else { return }
    if chance.isOne(in: 3) { confirm(wrongCode(), session, as: person) }
    // A code of an earlier change may be the only one that was delivered to this value.
    guard let code = laws.ownAccounts.delivered[value] else { return }
    if chance.isOne(in: 8) { move(to: clock.now().adding(seconds: 5 * Self.minuteSeconds)) }
    confirm(code, session, as: person)
    if chance.isOne(in: 3) { confirm(code, session, as: person) }
  }

  private func guessCodes(of person: SimulatedPeople.Person) {
    guard let session = begin(targets[0], as: person) else { return }
    for _ in 0..<4 { confirm(wrongCode(), session, as: person) }
    move(to: clock.now().adding(seconds: Self.minuteSeconds + 1))
    // A complete sign-in between the guesses.
    ownTokens[person.account.id] = nil
  }

  /// The session for the code, if one was sent, or seemed to be.
  private func begin(_ value: Recipient, as person: SimulatedPeople.Person) -> String? {
    guard let token = accessToken(of: person) else { return nil }
    let name: WireField = value.phone == nil ? .email : .phoneNumber
    let body = JSON.members([JSONMember(name, value.text), password(for: person)])
    let answer = judgedAnswer(to: Call(.post(.contactChange, body), token: token))
    let result = answer[.code]?.text ?? "sent"
    note("changes a contact", 0, 0, "\(person.account.id.text) to \(value.text): \(result)")
    deliver()
    return answer[.changeSession]?.text
  }

  private func confirm(_ code: String, _ session: String, as person: SimulatedPeople.Person) {
    guard let token = accessToken(of: person) else { return }
    let body = JSON.members([JSONMember(.changeSession, session), JSONMember(.otp, code)])
    let answer = judgedAnswer(to: Call(.post(.contactChangeCode, body), token: token))
    note("confirms a contact", 0, 0, answer[.code]?.text ?? "done")
    deliver()
  }

  private func password(for person: SimulatedPeople.Person) -> JSONMember? {
    let hash = server.store.tables.accounts[person.account.id]?.passwordHash
    return hash.map { _ in JSONMember(.currentPassword, password(of: person)) }
  }

  // MARK: Undoing and erasing

  /// The holder of an old address or number uses the link in a message.
  private func useLink() {
    guard !laws.ownAccounts.links.isEmpty else { return }
    note("uses a link")
    let secret = chance.pick(laws.ownAccounts.links)
    _ = judgedAnswer(to: .post(.undoContactChange, Form([.init(.undo, secret)]), .none))
  }

  private func undoInApp(_ person: SimulatedPeople.Person) {
    let made = server.store.tables.revocableChanges.values
      .filter { $0.account == person.account.id && $0.kind != .erasure }
      .sorted { ($0.madeAt, $0.id) < ($1.madeAt, $1.id) }
    guard !made.isEmpty, let token = accessToken(of: person) else { return }
    note("undoes a change")
    let id = Endpoint.Segment(chance.pick(made).id)
    let body = JSON.members([password(for: person)])
    _ = judgedAnswer(to: Call(.post(.contactChangeUndo(id), body), token: token))
  }

  private func requestErasure(of person: SimulatedPeople.Person) {
    guard let token = accessToken(of: person) else { return }
    note("requests an erasure", 0, 0, person.account.id.text)
    let body = JSON.members([password(for: person)])
    _ = judgedAnswer(to: Call(.post(.erasure, body), token: token))
  }

  private func cancelErasure(of person: SimulatedPeople.Person) {
    guard let token = accessToken(of: person) else { return }
    note("cancels an erasure", 0, 0, person.account.id.text)
    _ = judgedAnswer(to: Call(.delete(.erasure), token: token))
  }

  // MARK: Sessions

  /// The access token of a session that continues, or of a new one.
  private func accessToken(of person: SimulatedPeople.Person) -> Secret? {
    let id = person.account.id
    guard let account = server.store.tables.accounts[id], account.status == .active else {
      return nil
    }
    var tokens = JSON.null
    if let refresh = ownTokens[id] {
      tokens = ask(
        .token, profile.client(of: person),
        [.init(.grantType, "refresh_token"), .init(.refreshToken, refresh)])
    }
    if tokens["access_token"] == nil, account.phone != nil,
      person.app == .rider || account.passwordHash != nil && account.email != nil
    {
      tokens = self.tokens(of: person, account).tokens
    }
    ownTokens[id] = tokens["refresh_token"]?.text
    return tokens["access_token"]?.text.map { Secret($0) }
  }
}
