import SignInModel
import SignInRules
import SignInTesting
import SignInWire
import Testing

@testable import SignInService

/// A change of the own address or number is taken back.
@Suite("Changes that are taken back")
struct UndoContactTests {
  private typealias Own = OwnAccount

  @Test("T-16 the link in the message to the old number takes the change back and signs out")
  func phone() async throws {
    let own = try await OwnAccount()
    try await own.changed()
    let link = try await own.link(to: Own.oldPhone)
    let halfDone = await own.test.begin(key: "thief").authSession
    let code = await own.test.code()
    #expect(
      await success(try await readUndoLink(link, in: own.test.world)) == .open(.phoneNumber))

    #expect(await own.undo(link).value == .phoneNumber)

    let after = try await own.account()
    #expect(after.phone?.e164 == Own.oldPhone && after.phoneProof == .administrator)
    #expect(after.phoneChangedAt == nil)
    #expect(try await own.test.session(own.session)?.end == .revoked)
    #expect(
      await refusal(try await own.test.answer(code, halfDone, key: "thief"))?.code
        == .invalidSession)
    #expect(try await own.details(.contactChangeUndone) == ["phone_number"])
    let known = try await own.test.store.read { (transaction) throws(StoreFault) in
      try transaction.knownDevices(of: Own.tara).count
    }
    #expect(known == 0)
  }

  @Test("L-51 taking back an address ends every session and what could begin one")
  func email() async throws {
    let own = try await OwnAccount()
    try await own.changed(to: Own.newEmail)
    let link = try await own.link(to: Own.oldEmail)
    let other = try await own.signIn(key: "other", as: Own.newEmail)
    #expect(await own.undo(link).value == .email)
    #expect(try await own.account().email?.text == Own.oldEmail)
    #expect(try await own.account().emailProof == .administrator)
    #expect(try await own.test.session(own.session)?.end == .revoked)
    #expect(try await own.test.session(other)?.end == .revoked)
  }

  @Test("L-55 the link works once and repeats its outcome")
  func repeated() async throws {
    let own = try await OwnAccount()
    try await own.changed()
    let link = try await own.link(to: Own.oldPhone)
    #expect(await own.undo(link).value == .phoneNumber)
    own.test.clock.advance(seconds: 61)
    let again = try await own.test.signIn(key: "again").session.id

    #expect(await own.undo(link).value == .phoneNumber)

    #expect(
      await success(try await readUndoLink(link, in: own.test.world)) == .done(.phoneNumber))
    #expect(try await own.test.session(again)?.end == nil)
    #expect(try await own.details(.contactChangeUndone).count == 1)
    #expect(await own.undo(Secret("unknown")).refused == .changeNotFound)
  }

  @Test("The link works for seven days", arguments: [(604_799, true), (604_800, false)])
  func sevenDays(_ seconds: Int64, _ isOpen: Bool) async throws {
    let own = try await OwnAccount()
    try await own.changed()
    let link = try await own.link(to: Own.oldPhone)
    own.test.clock.advance(seconds: seconds - 61)
    #expect(await own.undo(link).refused == (isOpen ? nil : .changeNotFound))
    own.test.clock.advance(seconds: 2)
    _ = await removeExpiredRecords(in: own.test.world)
    #expect(try await own.changes().isEmpty)
    #expect(await success(try await readUndoLink(link, in: own.test.world)) == .ended)
  }

  @Test("The first link takes back the later changes too, and their links say that it is done")
  func chain() async throws {
    let own = try await OwnAccount()
    try await own.changed()
    let first = try await own.link(to: Own.oldPhone)
    try await own.changed(to: "+15550101888")
    let second = try await own.link(to: Own.newPhone)
    try await own.changed(to: Own.newEmail)

    #expect(await own.undo(first).value == .phoneNumber)

    #expect(try await own.account().phone?.e164 == Own.oldPhone)
    #expect(await own.undo(second).value == .phoneNumber)
    #expect(try await own.account().phone?.e164 == Own.oldPhone)
    #expect(try await own.account().email?.text == Own.newEmail)
  }

  @Test("L-51 taking a change back cancels the erasure, whether it was asked for before or since")
  func erasureSince() async throws {
    for isOlder in [false, true] {
      let own = try await OwnAccount()
      func askForErasure() async throws {
        _ = try await requestErasure(
          try await own.access(), password: Secret("right"), languages: [], peer: nil,
          in: own.test.world)
        own.test.clock.advance(seconds: 61)
      }
      if isOlder { try await askForErasure() }
      try await own.changed(to: Own.newEmail)
      let link = try await own.link(to: Own.oldEmail)
      if !isOlder { try await askForErasure() }

      #expect(await own.undo(link).value == .email)

      #expect(try await own.details(.erasureCancelled).count == 1)
      #expect(try await !own.changes().contains(where: \.isDueErasure))
    }
  }

  @Test("A number that was not verified before is not verified after the change is taken back")
  func unverified() async throws {
    let own = try await OwnAccount()
    let moment = TestWorld.start.adding(seconds: 5)
    try await own.change {
      $0.phoneChangedAt = moment
      $0.phoneProof = nil
    }
    try await own.changed()
    #expect(await own.undo(try await own.link(to: Own.oldPhone)).value == .phoneNumber)
    let after = try await own.account()
    #expect(after.phoneProof == nil && after.phoneChangedAt == moment)
  }

  @Test("An earlier link cannot take back what an administrator has decided since")
  func administrator() async throws {
    let own = try await OwnAccount()
    try await own.changed()
    try await own.changed(to: Own.newEmail)
    let phone = try await own.link(to: Own.oldPhone)
    let email = try await own.link(to: Own.oldEmail)
    var edit = AccountChange()
    edit.phone = .set(try PhoneNumber(parsing: "+15550101888"))
    let rules = try await own.test.administrator()
    _ = try await editAccount(Own.tara, edit, rules: rules, in: own.test.world)

    #expect(await own.undo(phone).refused == .changeNotFound)
    #expect(await own.undo(email).value == .email)
    #expect(try await own.account().phone?.e164 == "+15550101888")
  }

  @Test("L-51 another role ends the links of earlier changes, and none changes an administrator")
  func role() async throws {
    let own = try await OwnAccount()
    try await own.changed()
    let (link, made) = (try await own.link(to: Own.oldPhone), try await own.changes())
    var edit = AccountChange()
    edit.role = .administrator
    _ = try await editAccount(Own.tara, edit, rules: .operatorCommand, in: own.test.world)
    #expect(try await own.changes().isEmpty)
    #expect(await own.undo(link).refused == .changeNotFound)

    try await own.test.store.transact { (transaction) throws(StoreFault) in
      for change in made { try transaction.insert(change) }
    }
    #expect(await own.undo(link).refused == .changeNotFound)
    #expect(try await own.account().phone?.e164 == Own.newPhone)
  }

  private func insertOther(
    provedBy proof: ContactProof?, in own: OwnAccount
  ) async throws {
    let other = Account(
      id: AccountID("tor"), email: nil, phone: try PhoneNumber(parsing: Own.oldPhone),
      name: "Tor", role: .technician, status: .pending, passwordHash: nil, organizations: [],
      createdAt: TestWorld.start, phoneProof: proof)
    try await own.test.store.transact { (transaction) throws(StoreFault) in
      try transaction.insert(other)
    }
  }

  @Test("An old number that another account has proved since is not taken from it")
  func taken() async throws {
    let own = try await OwnAccount()
    try await own.changed()
    try await insertOther(provedBy: .code, in: own)
    #expect(await own.undo(try await own.link(to: Own.oldPhone)).refused == .accountExists)
    #expect(try await own.account().phone?.e164 == Own.newPhone)
  }

  @Test(
    "L-48 an old number that another account only typed does not stop the link, if it was proved",
    arguments: [true, false])
  func typed(_ wasProved: Bool) async throws {
    let own = try await OwnAccount()
    if !wasProved { try await own.change { $0.phoneProof = nil } }
    try await own.changed()
    try await insertOther(provedBy: nil, in: own)
    let link = try await own.link(to: Own.oldPhone)

    #expect(await own.undo(link).refused == (wasProved ? nil : .accountExists))

    #expect(try await own.account().phone?.e164 == (wasProved ? Own.oldPhone : Own.newPhone))
    let other = try await own.test.store.read { (transaction) throws(StoreFault) in
      try transaction.account(AccountID("tor"))
    }
    #expect(other?.phone?.e164 == (wasProved ? nil : Own.oldPhone))
  }

  // MARK: In the app

  @Test("In the app the person takes the own change back, and other sessions end")
  func inApp() async throws {
    let own = try await OwnAccount()
    try await own.changed(to: Own.newEmail)
    let later = try await own.signIn(key: "later", as: Own.newEmail)
    let shown = try await readOwnChanges(try await own.access(), in: own.test.world).contacts
    #expect(shown.map(\.kind) == [.email])
    let id = try #require(shown.first?.id)

    // A session that began after the change may be of the person who has the new address.
    #expect(try await readOwnChanges(own.access(later), in: own.test.world).contacts.isEmpty)
    let access = try await own.access(later)
    #expect(await own.undoInApp(id, access) == .changeNotFound)

    let first = try await own.access()
    #expect(await own.undoInApp(id, first) == nil)
    #expect(try await own.account().email?.text == Own.oldEmail)
    #expect(try await own.test.session(own.session)?.end == nil)
    #expect(try await own.test.session(later)?.end == .revoked)
    #expect(try await readOwnChanges(first, in: own.test.world).contacts.isEmpty)
    #expect(await own.undoInApp("none", first) == .changeNotFound)
  }

  @Test("T-16 a stolen session takes nothing back: the password is needed, or a recent sign-in")
  func inAppOfThief() async throws {
    let own = try await OwnAccount()
    try await own.changed(to: Own.newEmail)
    let id = try #require(try await own.changes().first?.id)
    let access = try await own.access()
    #expect(await own.undoInApp(id, access, password: nil) == .invalidCredentials)
    #expect(await own.undoInApp(id, access, password: "wrong") == .invalidCredentials)
    try await own.change { $0.passwordHash = nil }
    let without = try await own.access()
    own.test.clock.advance(seconds: RevocableChange.recentSignInSeconds)
    #expect(await own.undoInApp(id, without, password: nil) == .recentSignInNeeded)
    #expect(try await own.account().email?.text == Own.newEmail)
  }

  @Test("T-16 a person changes the own name, also if nothing else may be changed")
  func name() async throws {
    var client = TestWorld.technicians
    client.policy.contactChange = .administrator
    let own = try await OwnAccount(client)
    let (access, name) = (try await own.access(), try PersonName(parsing: "Tara Lund"))
    for _ in 0..<2 {
      try await changeOwnName(name, access, peer: nil, in: own.test.world)
    }
    #expect(try await own.account().name == "Tara Lund")
    #expect(try await own.details(.accountChanged) == ["person name"])
  }

  @Test("T-16 a name can be changed ten times in an hour, and the same name again is not counted")
  func nameLimit() async throws {
    let own = try await OwnAccount()
    let (access, limit) = (try await own.access(), OwnNameLimits.changesPerHour)
    func change(_ text: String) async throws -> ErrorCode? {
      let name = try PersonName(parsing: text)
      return await refusal(
        try await changeOwnName(name, access, peer: nil, in: own.test.world))?.code
    }
    for number in 1...limit {
      for _ in 0..<2 { #expect(try await change("Tara \(number)") == nil) }
    }
    #expect(try await change("Tara Lund") == .rateLimited)
    own.test.clock.advance(seconds: 3_599)
    #expect(try await change("Tara Lund") == .rateLimited)
    #expect(try await own.details(.accountChanged).count == Int(limit))
    own.test.clock.advance(seconds: 1)
    #expect(try await change("Tara Lund") == nil)
  }
}
