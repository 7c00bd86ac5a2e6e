import Cryptography
import JSONText
import SignInModel
import SignInRules
import SignInTesting
import SignInWire
import Testing

@testable import SignInService

/// Short ways to change the own account.
struct OwnAccount {
  static let tara = AccountID("tara")
  static let oldPhone = "+15550101234"
  static let newPhone = "+15550101999"
  static let oldEmail = "tara@example.com"
  static let newEmail = "tara.new@example.com"

  let test: TestWorld
  let session: SessionID
  let mail = RecordingMessenger(name: "mail", channel: .email)

  /// A world in which tara is signed in.
  init(_ client: AppRegistration = TestWorld.technicians, router: MessengerRouter? = nil)
    async throws
  {
    test = try await TestWorld(client: client, router: router)
    session = try await test.signIn().session.id
    test.clock.advance(seconds: 61)
  }

  func account() async throws -> Account {
    let account = try await test.store.read { (transaction) throws(StoreFault) in
      try transaction.account(Self.tara)
    }
    return try #require(account)
  }

  /// Signs in on another device, with the new address.
  func signIn(key: String, as username: String) async throws -> SessionID {
    let handle = await test.begin(username: username, key: key).authSession
    let code = try #require(
      await success(try await test.answer(await test.code(), handle, key: key)))
    let tokens = try #require(await success(try await test.redeem(code.revealed, key: key)))
    return tokens.session.id
  }

  func change(_ edit: @escaping @Sendable (inout Account) -> Void) async throws {
    try await test.store.transact { (transaction) throws(StoreFault) in
      guard var account = try transaction.account(Self.tara) else { return }
      edit(&account)
      try transaction.update(account)
    }
  }

  func access(_ id: SessionID? = nil) async throws -> Access {
    Access(
      account: try await account(),
      session: try #require(try await test.session(id ?? session)), client: test.client)
  }

  static func value(_ text: String) throws -> Recipient {
    text.hasPrefix("+")
      ? .phone(try PhoneNumber(parsing: text)) : .email(try EmailAddress(parsing: text))
  }

  /// Hands over what waits, and returns everything that was sent.
  @discardableResult
  func sent() async -> [TextMessage] {
    await deliverMessages(through: [test.messenger, mail], in: test.world)
    return test.messenger.messages + mail.messages
  }

  func begin(
    _ text: String = newPhone, password: String? = "right", in id: SessionID? = nil
  ) async throws -> Result<ContactChangeAnswer, Refusal> {
    let change = ContactChange(
      access: try await access(id), value: try Self.value(text),
      password: password.map { Secret($0) }, peer: TestWorld.peer)
    return await result(try await beginContactChange(change, in: test.world))
  }

  /// The code that was sent there last.
  func code(to text: String = newPhone) async throws -> String {
    let value = try Self.value(text)
    let message = try #require(await sent().last { $0.to == value && $0.kind == .code })
    let digits = message.text.revealed.split { !$0.isNumber }.first { $0.count == 6 }
    return String(try #require(digits))
  }

  func confirm(
    _ code: String, _ handle: Secret, in id: SessionID? = nil
  ) async throws -> Result<ContactChangeOutcome, Refusal> {
    let answer = ContactChangeCode(
      access: try await access(id), session: handle, code: Secret(code), peer: TestWorld.peer)
    return await result(try await confirmContactChange(answer, in: test.world))
  }

  /// Changes the address or the number with the right code.
  @discardableResult
  func changed(to text: String = newPhone) async throws -> ContactChangeOutcome {
    let handle = try await begin(text).get().session
    let outcome = try await confirm(try await code(to: text), handle).get()
    await sent()
    test.clock.advance(seconds: 61)
    return outcome
  }

  /// The notices that were sent there, the oldest first.
  func notices(to text: String) async throws -> [String] {
    let value = try Self.value(text)
    return await sent().filter { $0.to == value && $0.kind == .notice }
      .map(\.text.revealed)
  }

  /// The secret of the link in the last notice that was sent there.
  func link(to text: String) async throws -> Secret {
    let notice = try #require(try await notices(to: text).last)
    let start = try #require(notice.firstRange(of: "/account/undo?undo=")?.upperBound)
    return Secret(String(notice[start...].prefix { !$0.isWhitespace && $0 != "।" }))
  }

  func undo(_ secret: Secret) async -> Result<RevocableChange.Kind, Refusal> {
    await result(try await undoChange(secret, peer: TestWorld.peer, in: test.world))
  }

  /// The refusal; nil if the change was taken back.
  func undoInApp(
    _ id: String, _ access: Access, password: String? = "right"
  ) async -> ErrorCode? {
    await refusal(
      try await undoContactChange(
        id, access, password: password.map { Secret($0) }, peer: TestWorld.peer, in: test.world)
    )?.code
  }

  func changes() async throws -> [RevocableChange] {
    try await test.store.read { (transaction) throws(StoreFault) in
      try transaction.revocableChanges(of: Self.tara)
    }
  }

  func details(_ code: SecurityEvent.Code) async throws -> [String?] {
    try await test.events().filter { $0.code == code }.map(\.detail)
  }
}

/// A person changes the own address and number.
@Suite("Changes of the own address and number")
struct OwnContactTests {
  private typealias Own = OwnAccount

  private func setUp(_ edit: (inout Policy) -> Void = { _ in }) async throws -> OwnAccount {
    var client = TestWorld.technicians
    edit(&client.policy)
    return try await OwnAccount(client)
  }

  @Test("T-16 a code proves a new number, the old one and the address are told, others are out")
  func phone() async throws {
    let own = try await setUp()
    let other = try await own.test.signIn(key: "other").session.id
    own.test.clock.advance(seconds: 61)

    let handle = try await own.begin().get()
    #expect(handle.prompt.destination.hasSuffix("99"))
    #expect(try await own.account().phone?.e164 == Own.oldPhone)
    let outcome = try await own.confirm(try await own.code(), handle.session).get()

    let after = try await own.account()
    #expect(after.phone?.e164 == Own.newPhone && after.phoneProof == .code)
    #expect(after.phoneChangedAt == nil)
    #expect(outcome.undoUntil == own.test.clock.now().adding(seconds: 7 * 86_400))
    #expect(try await own.test.session(own.session)?.end == nil)
    #expect(try await own.test.session(other)?.end == .revoked)
    let link = try await own.link(to: Own.oldPhone)
    #expect(try await own.link(to: Own.oldEmail) == link)
    #expect(try await own.notices(to: Own.newPhone) == [])
    #expect(try await own.details(.accountChanged) == ["person phone_number"])
    #expect(try await own.details(.phoneVerified) == ["code"])
  }

  @Test("T-16 a code by e-mail proves a new address, both are told, and other sessions stay")
  func email() async throws {
    let own = try await setUp()
    let other = try await own.test.signIn(key: "other").session.id
    own.test.clock.advance(seconds: 61)

    try await own.changed(to: Own.newEmail)

    let after = try await own.account()
    #expect(after.email?.text == Own.newEmail && after.emailProof == .code)
    #expect(try await own.test.session(other)?.end == nil)
    #expect(try await own.notices(to: Own.oldEmail).last?.contains("/account/undo?undo=") == true)
    let new = try #require(try await own.notices(to: Own.newEmail).last)
    #expect(!new.contains("/account/undo"))
    #expect(try await own.details(.accountChanged) == ["person email"])
  }

  @Test("The number is told if the person adds an address")
  func added() async throws {
    let own = try await setUp()
    try await own.change { $0.email = nil }

    try await own.changed(to: Own.newEmail)

    #expect(await own.undo(try await own.link(to: Own.oldPhone)).value == .email)
    #expect(try await own.account().email == nil)
  }

  @Test("L-48 an address that the account has but has not proved is proved by a code")
  func provesOwn() async throws {
    let own = try await setUp()
    try await own.change { $0.emailProof = nil }

    let outcome = try await own.changed(to: Own.oldEmail)

    #expect(outcome.undoUntil == nil)
    #expect(try await own.account().emailProof == .code)
    #expect(try await own.changes().isEmpty)
    #expect(try await own.begin(Own.oldEmail).refused == .invalidRequest)
  }

  @Test(
    "L-48 a thief does not choose the only language of the warning",
    arguments: [["hi"], ["nb"], ["en"], []] as [[String]])
  func warning(_ languages: [String]) async throws {
    let own = try await setUp()
    let handle = try await own.begin().get().session
    var answer = ContactChangeCode(
      access: try await own.access(), session: handle, code: Secret(try await own.code()),
      peer: TestWorld.peer)
    answer.languages = languages
    let confirmed = answer
    _ = try await confirmContactChange(confirmed, in: own.test.world)

    let text = try #require(try await own.notices(to: Own.oldPhone).last)
    let mail = try #require(try await own.notices(to: Own.oldEmail).last)
    for warning in [text, mail] {
      #expect(warning.contains("take it back within seven days"))
      #expect(warning.contains("सात दिन") == (languages == ["hi"]))
      #expect(warning.contains("sju dager") == (languages == ["nb"]))
    }
    #expect(mail.split(separator: "\n").first?.contains("Your Fieldpass account") == true)
  }

  @Test(
    "R-07 an operator's text to sign in is not used for a change, which says what it is for",
    arguments: [OwnAccount.newPhone, OwnAccount.newEmail])
  func ownText(_ value: String) async throws {
    let texts = JSON.object([JSONMember("sign_in", "{code} for the app.")])
    let own = try await setUp { $0.apply(.object([JSONMember("texts", texts)])) }
    _ = try await own.begin(value).get()
    let to = try Own.value(value)
    let message = try #require(await own.sent().last { $0.to == to })
    #expect(message.text.revealed.contains("is your Fieldpass code to change your account"))
  }

  // MARK: The person

  @Test("A wrong password is refused and counted as at sign-in, and nothing is sent")
  func wrongPassword() async throws {
    let own = try await setUp()
    let sent = await own.sent().count
    for wrong in ["wrong", nil, "wrong"] {
      #expect(try await own.begin(password: wrong).refused == .invalidCredentials)
    }
    for _ in 0..<2 { _ = try await own.begin(password: "wrong") }
    #expect(try await own.begin(password: "wrong").refused == .accountLocked)
    #expect(try await own.begin().refused == .accountLocked)
    #expect(await own.sent().count == sent)
  }

  @Test(
    "Without a password the sign-in must be at most fifteen minutes old",
    arguments: [(839, true), (840, false)])
  func recent(_ seconds: Int64, _ isRecent: Bool) async throws {
    let own = try await setUp()
    try await own.change { $0.passwordHash = nil }
    // The sign-in is 61 seconds old already.
    own.test.clock.advance(seconds: seconds)

    let answer = try await own.begin(password: nil)

    #expect(answer.refused == (isRecent ? nil : .recentSignInNeeded))
  }

  @Test(
    "L-48 a session of a provider is as old as the authentication there",
    arguments: [(900, true), (901, false)])
  func recentAtProvider(_ age: Int64, _ isRecent: Bool) async throws {
    let own = try await setUp()
    try await own.change { $0.passwordHash = nil }
    let access = try await own.access()
    var session = access.session
    session.authenticatedAt = own.test.clock.now().adding(seconds: -age)
    let change = ContactChange(
      access: Access(account: access.account, session: session, client: access.client),
      value: try Own.value(Own.newPhone), password: nil, peer: TestWorld.peer)

    let refused = await refusal(try await beginContactChange(change, in: own.test.world))

    #expect(refused?.code == (isRecent ? nil : .recentSignInNeeded))
  }

  @Test("Only administrators change contacts if the policy says so, also after the code was sent")
  func policy() async throws {
    let closed = try await setUp { $0.contactChange = .administrator }
    #expect(try await closed.begin().refused == .contactChangeClosed)

    let own = try await setUp()
    let handle = try await own.begin().get().session
    let code = try await own.code()
    _ = try await own.test.changeClient(#"{"contact_change":"administrator"}"#)
    #expect(try await own.confirm(code, handle).refused == .contactChangeClosed)
  }

  @Test("The strictest organization of the account applies in every session")
  func organizations() async throws {
    let own = try await setUp()
    try await own.test.setOrganizations(["north", "south"])
    let handle = try await own.begin().get().session
    let code = try await own.code()
    let closed = #"{"policy":{"contact_change":"administrator"}}"#
    try await own.test.changeOrganization("south", closed)

    #expect(try await own.confirm(code, handle).refused == .contactChangeClosed)
    own.test.clock.advance(seconds: 61)
    #expect(try await own.begin().refused == .contactChangeClosed)
    try await own.test.changeOrganization("south", #"{"policy":{"contact_change":null}}"#)
    let country = #"{"policy":{"countries":["+47"]}}"#
    try await own.test.changeOrganization("south", country)
    #expect(try await own.begin().refused == .rateLimited)
    #expect(try await own.begin(Own.newEmail).refused == nil)
  }

  @Test("Administrators do not change their own address or number")
  func administrator() async throws {
    let own = try await setUp()
    try await own.change { $0.role = .administrator }
    #expect(try await own.begin().refused == .ownAccount)
    #expect(try await own.begin(Own.newEmail).refused == .ownAccount)
  }

  @Test("A session that has ended changes nothing")
  func ended() async throws {
    let own = try await setUp()
    let handle = try await own.begin().get().session
    let (code, access) = (try await own.code(), try await own.access())
    _ = try await endSessions(of: Own.tara, rules: .operatorCommand, in: own.test.world)

    let answer = ContactChangeCode(access: access, session: handle, code: Secret(code), peer: nil)
    #expect(
      await refusal(try await confirmContactChange(answer, in: own.test.world))?.code
        == .invalidToken)
    let change = ContactChange(
      access: access, value: try Own.value(Own.newPhone), password: Secret("right"), peer: nil)
    #expect(
      await refusal(try await beginContactChange(change, in: own.test.world))?.code
        == .invalidToken)
    #expect(try await own.account().phone?.e164 == Own.oldPhone)
  }

  // MARK: The code

  @Test("T-12 wrong codes lock as at sign-in, and the lock stops the right one")
  func wrongCodes() async throws {
    let own = try await setUp()
    let handle = try await own.begin().get().session
    let right = try await own.code()
    let wrong = right == "000000" ? "000001" : "000000"
    var codes: [ErrorCode?] = []
    for _ in 0..<5 { codes.append(try await own.confirm(wrong, handle).refused) }
    #expect(codes == [.invalidOTP, .invalidOTP, .invalidOTP, .invalidOTP, .accountLocked])
    #expect(try await own.confirm(right, handle).refused == .accountLocked)
    #expect(try await own.account().phone?.e164 == Own.oldPhone)
  }

  @Test("L-15 a code is refused at 300.0 seconds", arguments: [(299, true), (300, false)])
  func expired(_ seconds: Int64, _ isValid: Bool) async throws {
    let own = try await setUp()
    let handle = try await own.begin().get().session
    let code = try await own.code()
    own.test.clock.advance(seconds: seconds)
    #expect(try await own.confirm(code, handle).refused == (isValid ? nil : .otpExpired))
  }

  @Test("A code proves only what it was sent to, in the session that asked")
  func bound() async throws {
    let own = try await setUp()
    let phone = try await own.begin().get().session
    #expect(try await own.begin(Own.newEmail).refused == .resendTooSoon)
    own.test.clock.advance(seconds: 61)
    let email = try await own.begin(Own.newEmail).get().session
    let code = try await own.code(to: Own.newEmail)
    #expect(try await own.confirm(code, phone).refused == .otpExpired)

    let other = try await own.test.signIn(key: "other").session.id
    #expect(try await own.confirm(code, email, in: other).refused == .invalidSession)
    #expect(try await own.confirm(code, Secret("unknown")).refused == .invalidSession)
    #expect(try await own.confirm(code, email).refused == nil)
  }

  @Test(
    "L-55 the same code again, after a lost answer, has the same outcome on every device",
    arguments: [true, false])
  func repeated(_ isKnown: Bool) async throws {
    let own = try await setUp()
    if !isKnown {
      let key = try #require(try await own.test.session(own.session)).proofKeyThumbprint
      try await own.test.store.transact { (transaction) throws(StoreFault) in
        try transaction.removeKnownDevice(of: Own.tara, proofKeyThumbprint: key)
      }
    }
    let handle = try await own.begin().get().session
    let code = try await own.code()
    let first = try await own.confirm(code, handle).get()
    let second = try await own.confirm(code, handle).get()
    #expect(first == second)
    #expect(try await own.changes().count == 1)
    #expect(try await own.confirm("x", handle).refused == .otpExpired)
  }

  @Test(
    "L-37 what another account has proved gets the same answer, and no code is right",
    arguments: [OwnAccount.newPhone, OwnAccount.newEmail])
  func taken(_ value: String) async throws {
    let free = try await setUp()
    let own = try await setUp()
    let other = Account(
      id: AccountID("tor"), email: try EmailAddress(parsing: Own.newEmail),
      phone: try PhoneNumber(parsing: Own.newPhone), name: "Tor", role: .technician,
      status: .active, passwordHash: nil, organizations: [], createdAt: TestWorld.start,
      emailProof: .code, phoneProof: .code)
    try await own.test.store.transact { (transaction) throws(StoreFault) in
      try transaction.insert(other)
    }
    let sent = await own.sent().count

    let answer = try await own.begin(value).get()

    #expect(answer.prompt == (try await free.begin(value).get().prompt))
    #expect(await own.sent().count == sent)
    // Not even the code of the message that was never sent is right.
    let to = try Own.value(value)
    let decoy = try await own.test.store.read { (transaction) throws(StoreFault) in
      try transaction.messages(of: Own.tara).last { $0.to == to }
    }
    let message = try #require(decoy)
    let text = own.test.world.keyring.outbox.open(message.sealedText, context: message.id)
    let code = String(decoding: try #require(text), as: UTF8.self).split { !$0.isNumber }
      .first { $0.count == 6 }.map { String($0) }
    for guess in [try #require(code), "00000", "000000"] {
      #expect(try await own.confirm(guess, answer.session).refused == .invalidOTP)
    }
    #expect(try await own.begin(value).refused == .resendTooSoon)
  }

  @Test("What another account proved since the code was sent is refused")
  func takenSince() async throws {
    let own = try await setUp()
    let handle = try await own.begin().get().session
    let code = try await own.code()
    let other = Account(
      id: AccountID("tor"), email: nil, phone: try PhoneNumber(parsing: Own.newPhone),
      name: "Tor", role: .technician, status: .active, passwordHash: nil, organizations: [],
      createdAt: TestWorld.start, phoneProof: .code)
    try await own.test.store.transact { (transaction) throws(StoreFault) in
      try transaction.insert(other)
    }
    #expect(try await own.confirm(code, handle).refused == .accountExists)
    // The code is not used up by an answer that changes nothing.
    #expect(try await own.confirm(code, handle).refused == .accountExists)
  }

  @Test("A server that sends no e-mail says so before it asks for the password")
  func noMail() async throws {
    let router = MessengerRouter([.init(RecordingMessenger())])
    let own = try await OwnAccount(router: router)
    let answer = try await own.begin(Own.newEmail, password: nil)
    #expect(answer.refused == .mailUnavailable)
  }

  // MARK: The limits

  @Test("Five changes in seven days are allowed, and the sixth is refused until the first ends")
  func limit() async throws {
    let own = try await setUp()
    for number in 1...RevocableChange.limit {
      try await own.changed(to: "tara\(number)@example.com")
      own.test.clock.advance(seconds: 3_600)
    }
    #expect(try await own.begin(Own.newEmail).refused == .rateLimited)
    own.test.clock.advance(seconds: 7 * 86_400 - 5 * 3_661)
    #expect(try await own.begin(Own.newEmail).refused == nil)
  }
}
