import JSONText
import SignInModel
import SignInRules
import SignInTesting
import SignInWire
import Testing

@testable import SignInService

/// Each decision that ends the sessions of a person, and each thing that could begin another one.
@Suite("Signing out")
struct SignOutTests {
  private static let tara = AccountID("tara")
  private static let north = OrganizationID("north")

  /// What is open before the sign-out.
  enum Open: String, CaseIterable {
    case session, attempt, authorizationCode, codeOfUnknown, codeOfKnown, reset, journey
    case otherDevice, waitingPassword, invitation

    /// What every sign-out ends.
    static let always: Set<Open> = [
      .session, .attempt, .authorizationCode, .codeOfUnknown, .codeOfKnown, .reset, .journey,
    ]
    /// What a sign-out of the whole account ends.
    static let all = Set(allCases)
    /// What a deactivation ends; sign-ins in progress answer that the account is deactivated.
    static let atDeactivation = all.subtracting([.attempt, .authorizationCode, .codeOfUnknown])
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    var ends = Open.all
    let act: @Sendable (TestWorld, Sessions) async throws -> Void

    var testDescription: String { name }
  }

  /// The session of the person's own device, and one of another device.
  struct Sessions: Sendable {
    let own: Access
    let other: Access
    let reused: Secret
  }

  static let cases: [Case] = [
    Case(name: "deactivation", ends: Open.atDeactivation) { world, _ in
      _ = await result(
        try await changeStatus(
          of: tara, by: .deactivate, rules: TestWorld.rules, in: world.world))
    },
    Case(name: "deactivation by an edit", ends: Open.atDeactivation) { world, _ in
      try await edit(world) { $0.status = .deactivated }
    },
    Case(name: "deactivation and reactivation") { world, _ in
      try await edit(world) { $0.status = .deactivated }
      try await edit(world) { $0.status = .active }
    },
    Case(name: "erasure") { world, _ in
      _ = await result(try await eraseAccount(tara, rules: TestWorld.rules, in: world.world))
    },
    Case(name: "reset by an administrator") { world, _ in
      _ = await result(
        try await resetAccount(tara, password: nil, rules: TestWorld.rules, in: world.world))
    },
    Case(name: "end of all sessions by an administrator") { world, _ in
      _ = await result(try await endSessions(of: tara, rules: TestWorld.rules, in: world.world))
    },
    Case(name: "another role") { world, _ in try await edit(world) { $0.role = .mentor } },
    Case(name: "another number") { world, _ in
      try await edit(world) { $0.phone = .set(try PhoneNumber(parsing: "+15550109999")) }
    },
    Case(name: "removal from an organization", ends: Open.always) { world, _ in
      try await edit(world) { $0.organizations = [] }
    },
    Case(
      name: "another address",
      ends: Open.always.subtracting([.session]).union([
        .waitingPassword, .invitation,
      ])
    ) { world, _ in
      try await edit(world) { $0.email = .set(try EmailAddress(parsing: "new@example.com")) }
    },
    Case(name: "approval of a waiting password") { world, _ in
      _ = await result(
        try await approveWaitingPassword(
          of: tara, availableAt: nil, rules: TestWorld.rules, in: world.world))
    },
    Case(name: "unlinking by an administrator") { world, _ in
      let identity = try await identity(world)
      _ = await result(
        try await unlinkIdentity(identity, of: tara, rules: TestWorld.rules, in: world.world))
    },
    Case(name: "unlinking by the person") { world, sessions in
      let identity = try await identity(world)
      _ = await result(
        try await unlinkOwnIdentity(identity, sessions.own, peer: nil, in: world.world))
    },
    Case(name: "sign-out everywhere") { world, sessions in
      _ = await result(try await endOwnSessions(sessions.own, peer: nil, in: world.world))
    },
    Case(name: "change of the password") { world, sessions in
      let change = PasswordChange(
        access: sessions.own, current: Secret("right"), new: Secret("another one of mine"),
        peer: nil)
      _ = await result(try await changePassword(change, in: world.world))
    },
    Case(name: "end of one session by an administrator", ends: Open.always.union([.otherDevice])) {
      world, sessions in
      _ = await result(
        try await endSession(
          sessions.other.session.id, of: tara, rules: TestWorld.rules, in: world.world))
    },
    Case(name: "end of another own session", ends: Open.always.union([.otherDevice])) {
      world, sessions in
      _ = await result(
        try await endOwnSession(
          sessions.other.session.id, sessions.own, peer: nil, in: world.world))
    },
    Case(name: "reuse of a refresh token", ends: Open.always) { world, sessions in
      _ = await result(try await world.refresh(sessions.reused, key: "other"))
    },
  ]

  private static func edit(
    _ world: TestWorld, _ change: (inout AccountChange) throws -> Void
  ) async throws {
    var wanted = AccountChange()
    try change(&wanted)
    let final = wanted
    let done = await result(
      try await editAccount(tara, final, rules: TestWorld.rules, in: world.world))
    #expect(done.value != nil)
  }

  private static func identity(_ world: TestWorld) async throws -> String {
    try await world.store.read { (transaction) throws(StoreFault) in
      try transaction.identities(of: tara).first?.handle ?? ""
    }
  }

  /// A world in which everything is open for Tara.
  private static func world() async throws -> (TestWorld, Sessions) {
    let world = try await TestWorld(organizations: [try TestWorld.organization("north")])
    _ = try await world.administrator()
    try await world.setOrganizations(["north"])
    let own = try await world.signIn(key: "own")
    world.clock.advance(seconds: 61)
    let other = try await world.signIn(key: "other", organization: "north")
    _ = await result(try await world.refresh(other.refreshToken, key: "other"))
    let next = await result(try await world.refresh(other.refreshToken, key: "other"))
    _ = await result(try await world.refresh(next.value?.refreshToken, key: "other"))
    let now = world.clock.now()
    try await world.store.transact { (transaction) throws(StoreFault) in
      try open(at: now, transaction)
    }
    let account = try await world.store.read { (transaction) throws(StoreFault) in
      try transaction.account(tara)
    }
    func access(_ tokens: TokenAnswer) async throws -> Access {
      Access(
        account: try #require(account),
        session: try #require(
          try await world.store.read { (transaction) throws(StoreFault) in
            try transaction.session(tokens.session.id)
          }), client: world.client)
    }
    let sessions = Sessions(
      own: try await access(own), other: try await access(other),
      reused: try #require(other.refreshToken))
    world.clock.advance(seconds: 1)
    return (world, sessions)
  }

  private static func attempt(_ progress: SignInAttempt.Progress, _ digest: UInt8, at now: Instant)
    -> SignInAttempt
  {
    SignInAttempt(
      digest: [digest], account: tara, client: ClientID("technician-app"),
      proofKeyThumbprint: "thief", pkceChallenge: "c", scope: "openid", nonce: nil,
      organization: nil, startedAt: now, expiresAt: now.adding(seconds: 600), progress: progress)
  }

  private static func open(
    at now: Instant,
    _ transaction: any CodeRecords & IdentityRecords & InvitationRecords & PasswordResetRecords
      & WaitingPasswordRecords & SignInRecords
  ) throws(StoreFault) {
    let end = now.adding(seconds: 600)
    try transaction.insert(attempt(.awaitingCode, 1, at: now))
    try transaction.insert(attempt(.proved(codeDigest: [9], expiresAt: end), 2, at: now))
    for holder in [CodeChallenge.Holder.unknownDevices, .knownDevice("own")] {
      try transaction.save(
        CodeChallenge(
          id: "\(holder)",
          place: CodeChallenge.Key(account: tara, purpose: .signIn, holder: holder),
          client: ClientID("technician-app"), proofKeyThumbprint: "thief", mac: [1],
          supersededMACs: [], digits: 6, expiresAt: end, resendAt: now.adding(seconds: 60),
          isConsumed: false))
    }
    try transaction.insert(
      PasswordReset(
        digest: [3], account: tara, client: ClientID("technician-app"),
        proofKeyThumbprint: "thief", expiresAt: end))
    try transaction.save(
      WaitingPassword(
        account: tara, client: ClientID("technician-app"), passwordHash: "fast$1$x",
        requestedAt: now, availableAt: now.adding(seconds: 86_400)))
    try transaction.save(Invitation(account: tara, digest: [4], createdAt: now, expiresAt: end))
    try transaction.insert(
      Identity(
        issuer: "https://id.example.com", subject: "s", account: tara, provider: "login",
        linkedAt: now, lastUsedAt: nil))
  }

  /// What is still open.
  private static func left(_ world: TestWorld, _ sessions: Sessions, since start: Instant)
    async throws -> Set<Open>
  {
    try await world.store.read { (transaction) throws(StoreFault) in
      var left: Set<Open> = []
      if try transaction.session(sessions.other.session.id)?.end == nil { left.insert(.session) }
      if try transaction.signInAttempt(digest: [1]) != nil { left.insert(.attempt) }
      if try transaction.signInAttempt(codeDigest: [9]) != nil { left.insert(.authorizationCode) }
      for (holder, kind) in [
        (CodeChallenge.Holder.unknownDevices, Open.codeOfUnknown),
        (.knownDevice("own"), .codeOfKnown),
      ] {
        let place = CodeChallenge.Key(account: tara, purpose: .signIn, holder: holder)
        if try transaction.codeChallenge(at: place)?.isConsumed == false { left.insert(kind) }
      }
      if try transaction.passwordReset(digest: [3]) != nil { left.insert(.reset) }
      let account = try transaction.account(tara)
      if let account, account.signedOutAt.map({ $0 < start }) ?? true { left.insert(.journey) }
      if try transaction.knownDevice(of: tara, proofKeyThumbprint: "other") != nil {
        left.insert(.otherDevice)
      }
      if try transaction.waitingPassword(of: tara) != nil { left.insert(.waitingPassword) }
      if try transaction.invitation(digest: [4]) != nil { left.insert(.invitation) }
      return left
    }
  }

  @Test("L-51 each event that ends sessions also ends what could begin one", arguments: cases)
  func ended(_ example: Case) async throws {
    let (world, sessions) = try await Self.world()
    let start = world.clock.now()
    #expect(try await Self.left(world, sessions, since: start) == Open.all)

    try await example.act(world, sessions)

    let expected = Open.all.subtracting(example.ends)
    let left = try await Self.left(world, sessions, since: start)
    #expect(
      left == expected,
      "\(left.symmetricDifference(expected).map(\.rawValue).sorted())")
  }

  @Test("L-51 a session without the password keeps a waiting password at a sign-out everywhere")
  func phoneOnly() async throws {
    let (world, sessions) = try await Self.world()
    let known = sessions.own.session
    let codeOnly = Session(
      id: SessionID("code-only"), account: known.account, client: known.client,
      proofKeyThumbprint: known.proofKeyThumbprint, scope: known.scope, organization: nil,
      authenticationMethods: ["otp", "sms"], startedAt: known.startedAt,
      expiresAt: known.expiresAt, lastUsedAt: known.lastUsedAt, refreshGeneration: 0, end: nil)
    try await world.store.transact { (transaction) throws(StoreFault) in
      try transaction.insert(codeOnly)
    }
    let access = Access(
      account: sessions.own.account, session: codeOnly, client: world.client)
    let start = world.clock.now()

    _ = await result(try await endOwnSessions(access, peer: nil, in: world.world))

    #expect(
      try await Self.left(world, sessions, since: start) == [.waitingPassword, .invitation])
  }

  @Test("L-51 a sign-in at a provider that began before a sign-out begins no session")
  func journey() async throws {
    let world = try await ProviderWorld()
    let before = try await world.open()
    world.clock.advance(seconds: 1)
    _ = await result(
      try await endSessions(of: Self.tara, rules: .operatorCommand, in: world.world))
    #expect(await world.finish(before)["code"] == nil)

    world.clock.advance(seconds: 1)
    #expect(await world.finish(try await world.open())["code"] != nil)
  }
}
