import SignInModel
import SignInRules
import SignInService
import SignInTesting
import SignInWire
import Testing

@Suite("Administration of accounts")
struct AccountTests {
  static let tara = AccountID("tara")

  static func creation(
    _ name: String = "Nina", role: AccountRole = .technician, email: String? = "nina@example.com",
    phone: String = "+15550109999", password: String? = "correct horse",
    organizations: [String] = []
  ) throws -> AccountCreation {
    AccountCreation(
      name: try PersonName(parsing: name), role: role,
      email: try email.map { try EmailAddress(parsing: $0) },
      phone: try PhoneNumber(parsing: phone), password: password.map { Secret($0) },
      organizations: organizations.map { OrganizationID($0) }
    )
  }

  /// Every pair of a status and a transition, with its result.
  static let steps: [(AccountStatus, Account.Transition, AccountStatus?)] = [
    (.pending, .approve, .active), (.pending, .reject, .rejected),
    (.pending, .deactivate, nil), (.pending, .reactivate, nil),
    (.rejected, .approve, .active), (.rejected, .reject, .rejected),
    (.rejected, .deactivate, nil), (.rejected, .reactivate, nil),
    (.active, .approve, .active), (.active, .reject, nil),
    (.active, .deactivate, .deactivated), (.active, .reactivate, .active),
    (.deactivated, .approve, nil), (.deactivated, .reject, nil),
    (.deactivated, .deactivate, .deactivated), (.deactivated, .reactivate, .active),
  ]

  @Test(
    "T-16 and R-11 every transition leads to its defined status, or is refused and changes nothing",
    arguments: steps.indices
  )
  func transitions(_ index: Int) async throws {
    let (before, transition, after) = Self.steps[index]
    let world = try await TestWorld()
    try await world.setStatus(before)

    let outcome = await result(
      try await changeStatus(
        of: Self.tara, by: transition, rules: .operatorCommand, in: world.world
      ))

    let found = await success(
      try await showAccount(Self.tara, rules: .operatorCommand, in: world.world))
    #expect(outcome.value?.status == after?.rawValue)
    #expect(outcome.refusal?.code == (after == nil ? .illegalTransition : nil))
    #expect(found?.status == (after ?? before).rawValue)
  }

  @Test("T-16 a newly created technician can sign in at once")
  func created() async throws {
    let world = try await TestWorld()

    let entry = try #require(
      await success(
        try await createAccount(Self.creation(), rules: .operatorCommand, in: world.world)))

    #expect(entry.status == "active" && entry.hasPassword)
    let answer = await world.begin("correct horse", username: "nina@example.com")
    #expect(answer.code == .insufficientAuthorization)
  }

  @Test("T-16 an e-mail, and a phone number within a role, belong to one account only")
  func taken() async throws {
    let world = try await TestWorld()
    let sameEmail = try Self.creation(email: "TARA@example.com")
    let samePhone = try Self.creation(phone: "+1 555 010 1234")
    let otherRole = try Self.creation(
      role: .rider, email: nil, phone: "+15550101234", password: nil
    )

    #expect(
      await refusal(try await createAccount(sameEmail, rules: .operatorCommand, in: world.world))?
        .code
        == .accountExists)
    #expect(
      await refusal(try await createAccount(samePhone, rules: .operatorCommand, in: world.world))?
        .code
        == .accountExists)
    #expect(
      await success(try await createAccount(otherRole, rules: .operatorCommand, in: world.world))?
        .email
        == nil)
  }

  @Test(
    "A password has 8 characters to 1024 bytes",
    arguments: [(7, false), (8, true), (9, true), (1023, true), (1024, true), (1025, false)]
  )
  func passwords(_ count: Int, _ isRight: Bool) async throws {
    let world = try await TestWorld()
    let text = String(String(repeating: "a stone in a river ", count: 60).prefix(count))
    let creation = try Self.creation(password: text)

    let outcome = await result(
      try await createAccount(creation, rules: .operatorCommand, in: world.world))

    #expect((outcome.value != nil) == isRight)
    let code = count < 8 ? ErrorCode.passwordTooShort : .passwordTooLong
    #expect(outcome.refusal?.code == (isRight ? nil : code))
  }

  @Test("Every role but rider needs an e-mail address")
  func email() async throws {
    let world = try await TestWorld()

    for role in AccountRole.allCases {
      let creation = try Self.creation(role: role, email: nil, password: nil)
      #expect(
        (await success(try await createAccount(creation, rules: .operatorCommand, in: world.world))
          != nil)
          == (role == .rider))
    }
  }

  @Test("The same key and request create one account; another request with that key is refused")
  func once() async throws {
    let world = try await TestWorld()
    let admin = AccountID("admin")
    func create(_ body: String, key: String = "k", name: String = "Nina") async throws
      -> AccountEntry
    {
      let once = IdempotencyKey(owner: admin, key: key, request: Array(body.utf8))
      return try await createAccount(
        try Self.creation(name), once: once, rules: .operatorCommand, in: world.world)
    }

    let first = try await create("a")
    let id = first.id
    _ = try await changeStatus(of: id, by: .deactivate, rules: .operatorCommand, in: world.world)
    let hashes = world.passwords.hashes

    #expect(try await create("a") == first)
    #expect(world.passwords.hashes == hashes)
    #expect(await refusal(try await create("b"))?.code == .idempotencyKeyReused)
    #expect(await refusal(try await create("a", key: "other"))?.code == .accountExists)
  }

  @Test(
    "An answer is remembered for a day, to the second",
    arguments: [(-1, true), (0, false), (1, false)] as [(Int64, Bool)]
  )
  func remembered(_ offset: Int64, _ isKnown: Bool) async throws {
    let world = try await TestWorld()
    let once = IdempotencyKey(owner: AccountID("admin"), key: "k", request: [1])
    _ = try await createAccount(
      try Self.creation(), once: once, rules: .operatorCommand, in: world.world)
    world.clock.advance(seconds: IdempotencyKey.retentionSeconds + offset)

    let again = await result(
      try await createAccount(
        try Self.creation(), once: once, rules: .operatorCommand, in: world.world))

    #expect((again.value != nil) == isKnown)
  }

  @Test("Twenty parallel requests with one key create one account")
  func parallel() async throws {
    let world = try await TestWorld()
    let creation = try Self.creation()
    let once = IdempotencyKey(owner: AccountID("admin"), key: "k", request: [1])

    let made = await withTaskGroup(of: AccountEntry?.self) { group in
      for _ in 0..<20 {
        group.addTask { () async -> AccountEntry? in
          await success(
            try await createAccount(creation, once: once, rules: .operatorCommand, in: world.world))
        }
      }
      return await group.reduce(into: Set<AccountID?>()) { $0.insert($1?.id) }
    }

    #expect(made.count == 1 && made.first != .some(nil))
  }

  @Test("T-04 and L-17 deactivation ends every session at once, and the next request says so")
  func deactivated() async throws {
    let world = try await TestWorld()
    let phone = try await world.signIn(key: "phone")
    world.clock.advance(seconds: 61)
    let tablet = try await world.signIn(key: "tablet")

    _ = try await changeStatus(
      of: Self.tara, by: .deactivate, rules: .operatorCommand, in: world.world)

    for (answer, key) in [(phone, "phone"), (tablet, "tablet")] {
      let refused = await refusal(try await world.refresh(answer.refreshToken, key: key))
      #expect(refused?.code == .invalidGrant && refused?.reason == "account_deactivated")
    }
    _ = try await changeStatus(
      of: Self.tara, by: .reactivate, rules: .operatorCommand, in: world.world)
    let still = await refusal(try await world.refresh(phone.refreshToken, key: "phone"))
    #expect(still?.reason == "account_deactivated")
    world.clock.advance(seconds: 61)
    _ = try await world.signIn(key: "phone")
  }

  @Test("L-17 deactivation between password and code, and between code and token, ends a sign-in")
  func deactivatedBetween() async throws {
    let world = try await TestWorld()
    let session = await world.begin().authSession
    let code = await world.code()
    _ = try await changeStatus(
      of: Self.tara, by: .deactivate, rules: .operatorCommand, in: world.world)
    #expect(await refusal(try await world.answer(code, session))?.code == .accountDeactivated)

    _ = try await changeStatus(
      of: Self.tara, by: .reactivate, rules: .operatorCommand, in: world.world)
    #expect(await refusal(try await world.answer(code, session))?.code == .invalidSession)

    world.clock.advance(seconds: 61)
    let next = await world.begin().authSession
    let proved = try #require(await success(try await world.answer(await world.code(), next)))
    _ = try await changeStatus(
      of: Self.tara, by: .deactivate, rules: .operatorCommand, in: world.world)
    #expect(await refusal(try await world.redeem(proved.revealed))?.reason == "account_deactivated")
    _ = try await changeStatus(
      of: Self.tara, by: .reactivate, rules: .operatorCommand, in: world.world)
    #expect(await refusal(try await world.redeem(proved.revealed))?.code == .invalidGrant)
  }

  @Test("Administrators cannot deactivate their own account; an operator's command can")
  func own() async throws {
    let world = try await TestWorld()
    let ada = try await world.administrator()
    try await world.insert(administrator: "bea", .everything)
    let own = AccountID("ada")

    let refused = await result(
      try await setStatus(of: own, to: .deactivated, rules: ada, in: world.world))
    let done = await result(
      try await setStatus(of: own, to: .deactivated, rules: .operatorCommand, in: world.world))

    #expect(refused.refusal?.code == .ownAccount)
    #expect(done.value?.status == "deactivated")
  }

  @Test("Administrators can neither reset their own account nor link an identity with it")
  func ownAccess() async throws {
    let world = try await TestWorld()
    let ada = try await world.administrator()
    try await world.insert(administrator: "bea", .everything)

    let reset = await result(
      try await resetAccount(AccountID("ada"), password: nil, rules: ada, in: world.world))
    let link = try #require(IdentityLink(provider: "bankid", subject: "another"))
    let linked = await result(
      try await linkIdentity(link, to: AccountID("ada"), rules: ada, in: world.world))
    let other = await result(
      try await resetAccount(AccountID("bea"), password: nil, rules: ada, in: world.world))

    #expect(reset.refusal?.code == .ownAccount)
    #expect(linked.refusal?.code == .ownAccount)
    #expect(other.value != nil)
  }

  @Test(
    "Unlocking ends a lockout, and the stop after one hundred failures",
    arguments: [(4, false), (5, true), (99, true), (100, true)] as [(Int64, Bool)]
  )
  func unlocked(_ failures: Int64, _ isLocked: Bool) async throws {
    let world = try await TestWorld()
    let now = world.clock.now()
    let lockout = Lockout(
      failures: failures % 5, failuresInRow: failures, reserved: 0, reservedAt: now,
      locks: failures / 5, lockedUntil: failures < 5 ? nil : now.adding(seconds: 900)
    )
    try await world.store.transact { (transaction) throws(StoreFault) in
      try transaction.save(lockout, for: LockoutKey(AccountID("tara")))
    }
    #expect((await world.begin().code == .accountLocked) == isLocked)

    let entry = await success(
      try await unlockAccount(Self.tara, rules: .operatorCommand, in: world.world))

    #expect(entry?.failuresInRow == 0 && entry?.lockedUntil == nil)
    #expect(await world.begin().code == .insufficientAuthorization)
  }

  @Test("Unlocking also resets the bucket of a known device, and a reset removes the device")
  func known() async throws {
    let world = try await TestWorld()
    _ = try await world.signIn(key: "phone")
    world.clock.advance(seconds: 61)
    for _ in 0..<5 { _ = await world.begin("wrong", key: "phone") }
    #expect(await world.begin(key: "phone").code == .accountLocked)

    _ = try await unlockAccount(Self.tara, rules: .operatorCommand, in: world.world)

    #expect(await world.begin(key: "phone").code == .insufficientAuthorization)
    _ = try await resetAccount(Self.tara, password: nil, rules: .operatorCommand, in: world.world)
    let devices = try await world.store.read { (transaction) throws(StoreFault) in
      try transaction.knownDevices(of: Self.tara)
    }
    #expect(devices.isEmpty)
  }

  @Test("A reset ends the lockout, ends every session and removes the password")
  func reset() async throws {
    let world = try await TestWorld()
    let answer = try await world.signIn()
    world.clock.advance(seconds: 61)
    let begun = await world.begin()
    let code = await world.code()

    let entry = await success(
      try await resetAccount(Self.tara, password: nil, rules: .operatorCommand, in: world.world))

    #expect(entry?.hasPassword == false)
    #expect(
      await refusal(try await world.refresh(answer.refreshToken))?.reason == "password_changed")
    #expect(await refusal(try await world.answer(code, begun.authSession))?.code == .invalidSession)
    #expect(await world.begin().code == .invalidCredentials)
    _ = try await resetAccount(
      Self.tara, password: Secret("brand new one"), rules: .operatorCommand, in: world.world)
    world.clock.advance(seconds: 61)
    #expect(await world.begin("brand new one").code == .insufficientAuthorization)
    let short = await result(
      try await resetAccount(
        Self.tara, password: Secret("short"), rules: .operatorCommand, in: world.world))
    #expect(short.refusal?.code == .passwordTooShort)
    let own = await result(
      try await resetAccount(
        Self.tara, password: Secret("tara@example.com"), rules: .operatorCommand, in: world.world
      ))
    #expect(own.refusal?.code == .passwordTooCommon)
  }

  @Test("T-11 an account without a password gets one by Forgot password")
  func chosen() async throws {
    let world = try await TestWorld()
    _ = try await resetAccount(Self.tara, password: nil, rules: .operatorCommand, in: world.world)
    let request = PasswordResetRequest(
      client: world.client, username: "tara@example.com", proofKeyThumbprint: nil, peer: nil
    )

    let asked = try #require(
      await success(try await requestPasswordReset(request, in: world.world)))
    let answer = PasswordResetAnswer(
      resetSession: asked.resetSession, code: Secret(await world.code()),
      password: Secret("a stone in a river"), proofKeyThumbprint: nil, peer: nil
    )

    #expect(await success(try await resetPassword(answer, in: world.world)) == .changed)
    #expect(await world.begin("a stone in a river").code == .insufficientAuthorization)
  }

  @Test("A decision is in the security log once, with the administrator; a refused one is not")
  func events() async throws {
    let world = try await TestWorld()
    let once = IdempotencyKey(owner: AccountID("admin"), key: "k", request: [1])
    for _ in 0..<2 {
      _ = try await createAccount(
        try Self.creation(), once: once, rules: .operatorCommand, in: world.world)
    }
    for transition in [Account.Transition.reject, .deactivate, .deactivate, .reactivate] {
      _ = await result(
        try await changeStatus(
          of: Self.tara, by: transition, rules: .operatorCommand, in: world.world))
    }
    _ = try await unlockAccount(Self.tara, rules: .operatorCommand, in: world.world)
    _ = try await resetAccount(Self.tara, password: nil, rules: .operatorCommand, in: world.world)
    _ = try await endSessions(of: Self.tara, rules: .operatorCommand, in: world.world)

    await world.world.linkEvents()
    let events = try await listEvents(of: nil, limit: 100, in: world.store)

    let codes: [SecurityEvent.Code] = [
      .accountCreated, .accountDeactivated, .accountReactivated, .accountUnlocked, .accountReset,
      .accountSignedOut,
    ]
    #expect(events.reversed().map { $0.code } == codes)
    #expect(Set(events.map { $0.detail }) == ["shell"])
  }

  @Test("Changes to an unknown account are refused")
  func missing() async throws {
    let world = try await TestWorld().world
    let unknown = AccountID("unknown")

    let codes = [
      await refusal(try await showAccount(unknown, rules: .operatorCommand, in: world))?.code,
      await refusal(
        try await findAccount(.email(try EmailAddress(parsing: "no@example.com")), in: world))?
        .code,
      await refusal(
        try await changeStatus(of: unknown, by: .approve, rules: .operatorCommand, in: world))?
        .code,
      await refusal(
        try await setStatus(of: unknown, to: .active, rules: .operatorCommand, in: world))?.code,
      await refusal(try await unlockAccount(unknown, rules: .operatorCommand, in: world))?.code,
      await refusal(
        try await resetAccount(unknown, password: nil, rules: .operatorCommand, in: world))?.code,
      await refusal(try await listSessions(of: unknown, rules: .operatorCommand, in: world))?.code,
      await refusal(try await endSessions(of: unknown, rules: .operatorCommand, in: world))?.code,
    ]

    #expect(codes == Array(repeating: .accountNotFound, count: codes.count))
  }
}
