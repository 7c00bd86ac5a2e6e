import JSONText
import SignInModel
import SignInRules
import SignInTesting
import SignInWire
import Testing

@testable import SignInService

extension TestWorld {
  /// A world with an app that resets passwords in this way.
  ///
  /// Tara has signed in with `key`.
  fileprivate static func with(
    _ mode: PasswordResetMode, organizations: [Configuration.Organization] = []
  ) async throws -> TestWorld {
    var client = technicians
    client.policy.passwordReset = mode
    let world = try await TestWorld(client: client, organizations: organizations)
    _ = try await world.signIn(key: "key")
    world.clock.advance(seconds: 61)
    return world
  }

  /// Resets the password on the device with this key.
  fileprivate func forgotten(
    by key: String?, to password: String = "a fresh start"
  ) async throws(Refusal) -> PasswordResetResult {
    let session = await success(try await forget(key: key))?.resetSession
    return try await choose(session, await code(), to: password, key: key)
  }

  fileprivate func isRight(_ password: String, key: String = "key") async -> Bool {
    clock.advance(seconds: 61)
    return await begin(password, key: key).code == .insufficientAuthorization
  }

  fileprivate func account() async throws -> Account? {
    try await store.read { (transaction) throws(StoreFault) in
      try transaction.account(AccountID("tara"))
    }
  }

  fileprivate func waiting() async throws -> WaitingPassword? {
    try await store.read { (transaction) throws(StoreFault) in
      try transaction.waitingPassword(of: AccountID("tara"))
    }
  }

  fileprivate func access() async throws -> Access {
    let session = try await store.read { (transaction) throws(StoreFault) in
      try transaction.sessions(of: AccountID("tara")).first
    }
    return Access(
      account: try #require(await account()), session: try #require(session), client: client
    )
  }
}

@Suite("Waiting passwords")
struct WaitingPasswordTests {
  static let day: Int64 = 24 * 60 * 60

  @Test("By default a known device resets at once, and an unknown one waits a day")
  func devices() async throws {
    #expect(
      AppRegistration(
        id: ClientID("a"), name: "", home: .products, signIn: .passwordAndCode, roles: [.owner],
        scopes: []
      ).policy.passwordReset == .knownDevice)
    for (key, isKnown) in [("key", true), ("other", false), (nil, false)] as [(String?, Bool)] {
      let world = try await TestWorld.with(.knownDevice)
      let result = await success(try await world.forgotten(by: key))
      let end = world.clock.now().adding(seconds: Self.day)
      #expect(result == (isKnown ? .changed : .waiting(availableAt: end)))
      #expect(try await (world.waiting() == nil) == isKnown)
      #expect(await world.isRight("right") == !isKnown)
    }
  }

  @Test("A device unused for half a year is no longer known")
  func forgottenDevice() async throws {
    for (seconds, isKnown) in [(-1, true), (0, false), (1, false)] as [(Int64, Bool)] {
      let world = try await TestWorld.with(.knownDevice)
      let seen = TestWorld.start
      let left = seen.adding(seconds: KnownDevice.retentionSeconds + seconds).seconds
      world.clock.advance(seconds: left - world.clock.now().seconds)
      let result = await success(try await world.forgotten(by: "key"))
      #expect((result == .changed) == isKnown)
    }
  }

  @Test("A waiting password applies from its time on and then ends every session")
  func moment() async throws {
    for (offset, applies) in [(-1, false), (0, true), (1, true)] as [(Int64, Bool)] {
      let world = try await TestWorld.with(.knownDevice)
      guard case .waiting(let end)? = await success(try await world.forgotten(by: "other")) else {
        Issue.record("nothing waits")
        continue
      }
      world.clock.advance(seconds: end.seconds + offset - world.clock.now().seconds)
      let answer = await world.begin("a fresh start", key: "other")
      #expect((answer.code == .insufficientAuthorization) == applies)
      #expect(try await (world.waiting() == nil) == applies)
      let sessions = try await world.store.read { (transaction) throws(StoreFault) in
        try transaction.sessions(of: AccountID("tara"))
      }
      #expect(sessions.allSatisfy { ($0.end == .passwordChanged) == applies })
    }
  }

  @Test("The sweeper applies a due password, so that sessions end without a sign-in")
  func sweeping() async throws {
    let world = try await TestWorld.with(.knownDevice)
    _ = await result(try await world.forgotten(by: "other"))
    world.clock.advance(seconds: Self.day - 1)
    await removeExpiredRecords(in: world.world)
    #expect(try await world.waiting() != nil)
    world.clock.advance(seconds: 1)
    await removeExpiredRecords(in: world.world)
    #expect(try await world.waiting() == nil)
    #expect(await !world.isRight("right"))
    #expect(try await world.events().contains { $0.code == .passwordReset })
  }

  @Test("A signed-in device can cancel the waiting password until its time")
  func cancel() async throws {
    for (offset, isCancelled) in [(-1, true), (0, false), (1, false)] as [(Int64, Bool)] {
      let world = try await TestWorld.with(.knownDevice)
      _ = await result(try await world.forgotten(by: "other"))
      let access = try await world.access()
      world.clock.advance(seconds: Self.day + offset)
      let outcome = await result(
        try await cancelWaitingPassword(access, peer: nil, in: world.world))
      #expect((outcome.value == true) == isCancelled)
      #expect(try await world.waiting() == nil)
      #expect(await world.isRight("right") == isCancelled)
      let again = await result(try await cancelWaitingPassword(access, peer: nil, in: world.world))
      #expect(again.refusal?.code == .passwordResetNotFound)
    }
  }

  @Test("An administrator applies a waiting password at once, or removes it")
  func approval() async throws {
    for isApproved in [true, false] {
      let world = try await TestWorld.with(.knownDevice)
      _ = await result(try await world.forgotten(by: "other"))
      let id = AccountID("tara")
      let shown = await success(try await showAccount(id, rules: .operatorCommand, in: world.world))
      #expect(shown?.passwordAvailableAt != nil)
      let outcome =
        isApproved
        ? try await approveWaitingPassword(
          of: id, availableAt: nil, rules: .operatorCommand, in: world.world)
        : try await rejectWaitingPassword(of: id, rules: .operatorCommand, in: world.world)
      #expect(outcome.passwordAvailableAt == nil)
      #expect(await world.isRight("a fresh start") == isApproved)
      let again = await result(
        try await approveWaitingPassword(
          of: id, availableAt: nil, rules: .operatorCommand, in: world.world))
      #expect(again.refusal?.code == .passwordResetNotFound)
    }
  }

  @Test(
    "An approval names the password that was seen; a later password stays waiting")
  func replacedBeforeApproval() async throws {
    let world = try await TestWorld.with(.knownDevice)
    let id = AccountID("tara")
    _ = await result(try await world.forgotten(by: "other", to: "chosen by its owner"))
    let seen = try #require(
      await success(try await showAccount(id, rules: .operatorCommand, in: world.world))?
        .passwordAvailableAt)
    world.clock.advance(seconds: 61)
    _ = await result(try await world.forgotten(by: "third", to: "chosen by a thief"))

    let late = await result(
      try await approveWaitingPassword(
        of: id, availableAt: seen, rules: .operatorCommand, in: world.world))

    #expect(late.refusal?.code == .passwordResetNotFound)
    #expect(await !world.isRight("chosen by a thief"))
    let now = try #require(
      await success(try await showAccount(id, rules: .operatorCommand, in: world.world))?
        .passwordAvailableAt)
    let again = await result(
      try await approveWaitingPassword(
        of: id, availableAt: now, rules: .operatorCommand, in: world.world))
    #expect(again.value != nil)
  }

  @Test("A device that signed in without the password cannot reset at once or cancel")
  func knownByMessageAlone() async throws {
    for hasProvedPassword in [true, false] {
      let world = try await TestWorld.with(.knownDevice)
      let device = KnownDevice(
        account: AccountID("tara"), proofKeyThumbprint: "other", lastSeenAt: world.clock.now(),
        hasProvedPassword: hasProvedPassword
      )
      try await world.store.transact { (transaction) throws(StoreFault) in
        try transaction.remember(
          device, among: try transaction.knownDevices(of: device.account))
      }

      let result = await success(try await world.forgotten(by: "other"))

      #expect((result == .changed) == hasProvedPassword)
    }
    let world = try await TestWorld.with(.knownDevice)
    _ = await result(try await world.forgotten(by: "other"))
    let access = try await world.access().withoutPassword
    let cancelled = await result(
      try await cancelWaitingPassword(access, peer: nil, in: world.world))
    #expect(cancelled.refusal?.code == .insufficientScope)
    #expect(try await world.waiting() != nil)
  }

  @Test("A device whose session was ended elsewhere is no longer known")
  func endedElsewhere() async throws {
    let endings: [@Sendable (TestWorld, Access) async throws -> Void] = [
      { test, access in
        let others =
          await success(
            try await listSessions(of: access.account.id, rules: .operatorCommand, in: test.world))
          ?? []
        for other in others where other.id != access.session.id {
          _ = try await endOwnSession(other.id, access, peer: nil, in: test.world)
        }
      },
      { test, access in _ = try await endOwnSessions(access, peer: nil, in: test.world) },
      { test, access in
        _ = try await endSessions(of: access.account.id, rules: .operatorCommand, in: test.world)
      },
      { test, access in
        for step in [Account.Transition.deactivate, .reactivate] {
          _ = try await changeStatus(
            of: access.account.id, by: step, rules: .operatorCommand, in: test.world)
        }
      },
    ]
    for end in endings {
      let world = try await TestWorld.with(.knownDevice)
      // The newest session is on another device of the owner, not on the stolen one.
      _ = try await world.signIn(key: "owner")
      try await end(world, try await world.access())
      world.clock.advance(seconds: 61)

      let result = await success(try await world.forgotten(by: "key"))

      #expect(result != .changed)
      #expect(try await world.waiting() != nil)
    }
  }

  @Test("An account without a password gets no reset code unless a code is enough")
  func noPassword() async throws {
    for mode in [PasswordResetMode.code, .knownDevice, .administrator] {
      let world = try await TestWorld.with(mode)
      var account = try #require(await world.account())
      account.passwordHash = nil
      let changed = account
      try await world.store.transact { (transaction) throws(StoreFault) in
        try transaction.update(changed)
      }
      let before = world.messenger.messages.count
      _ = await result(try await world.forget(key: "key"))
      await deliverMessages(through: [world.messenger], in: world.world)
      #expect((world.messenger.messages.count > before) == (mode == .code))
    }
  }

  @Test("Another request replaces the waiting password, and the day starts again")
  func repeated() async throws {
    let world = try await TestWorld.with(.knownDevice)
    _ = await result(try await world.forgotten(by: "other", to: "first choice of two"))
    world.clock.advance(seconds: Self.day / 2)
    _ = await result(try await world.forgotten(by: "third", to: "second choice of two"))
    world.clock.advance(seconds: Self.day / 2)
    #expect(await !world.isRight("first choice of two"))
    world.clock.advance(seconds: Self.day / 2)
    #expect(await world.isRight("second choice of two"))
  }

  @Test("Deactivation and an immediate reset remove the waiting password")
  func removal() async throws {
    let world = try await TestWorld.with(.knownDevice)
    _ = await result(try await world.forgotten(by: "other"))
    _ = try await changeStatus(
      of: AccountID("tara"), by: .deactivate, rules: .operatorCommand, in: world.world
    )
    #expect(try await world.waiting() == nil)

    let second = try await TestWorld.with(.knownDevice)
    _ = await result(try await second.forgotten(by: "other"))
    second.clock.advance(seconds: 61)
    #expect(
      await success(try await second.forgotten(by: "key", to: "mine and no other")) == .changed)
    #expect(try await second.waiting() == nil)
  }

  @Test("The person gets a notice of a waiting password and of a changed one")
  func notices() async throws {
    let world = try await TestWorld.with(.knownDevice)
    _ = await result(try await world.forgotten(by: "other"))
    let access = try await world.access()
    let answer = try #require(await success(try await readAccount(access, in: world.world)))
    let end = world.clock.now().adding(seconds: Self.day)
    #expect(answer.accountUpdate.passwordReset?.availableAt == end)
    let read = AccountAnswer(json: answer.json)
    #expect(read?.accountUpdate == answer.accountUpdate)
    let messages = try await world.store.read { (transaction) throws(StoreFault) in
      try transaction.messages(after: nil, limit: 100)
    }
    #expect(messages.filter { $0.kind == .notice }.count == 1)
    _ = try await approveWaitingPassword(
      of: AccountID("tara"), availableAt: nil, rules: .operatorCommand, in: world.world)
    let after = try await world.store.read { (transaction) throws(StoreFault) in
      try transaction.messages(after: nil, limit: 100)
    }
    #expect(after.filter { $0.kind == .notice }.count == 2)
  }

  @Test("If administrators reset passwords, every account gets the same answer")
  func administratorPolicy() async throws {
    let world = try await TestWorld.with(.administrator)
    let known = await refusal(try await world.forget(key: "key"))
    #expect(known?.code == .resetByAdministrator)
    #expect(await refusal(try await world.forget("unknown@example.com", key: "key")) == known)
    #expect(await refusal(try await world.forget("no address", key: "key")) == known)
  }

  @Test("An administrator's own account answers like an unknown one and gets no message")
  func administratorAccount() async throws {
    var client = TestWorld.technicians
    client.roles = [.technician, .administrator]
    let world = try await TestWorld(client: client)
    let ada = Account(
      id: AccountID("ada"), email: try EmailAddress(parsing: "ada@example.com"),
      phone: try PhoneNumber(parsing: "+15550101299"), name: "Ada", role: .administrator,
      status: .active, passwordHash: nil, organizations: [], createdAt: TestWorld.start
    )
    try await world.store.transact { (transaction) throws(StoreFault) in
      try transaction.insert(ada)
    }
    #expect(await success(try await world.forget("ada@example.com", key: "key")) != nil)
    _ = await world.code()
    #expect(world.messenger.messages.isEmpty)
  }

  @Test("An organization can only require more than the app does")
  func organizationPolicy() {
    func restricted(_ app: PasswordResetMode, _ word: String) -> PasswordResetMode {
      var client = TestWorld.technicians
      client.policy.passwordReset = app
      return client.restricted(
        by: PolicyChanges(.object([JSONMember("password_reset", word)]))
      ).policy.passwordReset
    }
    #expect(restricted(.code, "administrator") == .administrator)
    #expect(restricted(.code, "known_device") == .knownDevice)
    #expect(restricted(.administrator, "code") == .administrator)
    #expect(restricted(.knownDevice, "code") == .knownDevice)
  }
}

extension Access {
  /// The same access, of a session that began with a text message alone.
  fileprivate var withoutPassword: Access {
    let session = Session(
      id: session.id, account: session.account, client: session.client,
      proofKeyThumbprint: session.proofKeyThumbprint, scope: session.scope,
      organization: session.organization, authenticationMethods: ["otp", "sms"],
      startedAt: session.startedAt, expiresAt: session.expiresAt, lastUsedAt: session.lastUsedAt,
      refreshGeneration: session.refreshGeneration, end: nil
    )
    return Access(account: account, session: session, client: client)
  }
}
