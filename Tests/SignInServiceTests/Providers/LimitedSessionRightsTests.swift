import Cryptography
import JSONText
import SignInModel
import SignInTesting
import SignInWire
import Testing

@testable import SignInService

/// What the provider of one organization cannot reach for a person who is also in another.
@Suite("Rights of sessions that are limited to one organization")
struct LimitedSessionRightsTests {
  private static let tara = AccountID("tara")
  private static let north = OrganizationID("north")
  private static let south = OrganizationID("south")

  /// A world in which `login` belongs to north and `second` to all; tara has an identity at both.
  private static func world(
    _ organizations: [OrganizationID] = [south, north]
  ) async throws -> ProviderWorld {
    let world = try await ProviderWorld {
      if $0.name == "login" { $0.administeredBy = north }
    }
    try await world.change("tara") { $0.organizations = organizations }
    try await world.insertSecondIdentity()
    return world
  }

  private func devices(in world: ProviderWorld) async throws -> [KnownDevice] {
    try await world.store.read { (transaction) throws(StoreFault) in
      try transaction.knownDevices(of: Self.tara)
    }
  }

  @Test("L-57 a limited session compares and changes no password")
  func password() async throws {
    let world = try await Self.world()
    let hash = try await world.world.passwords.hash(Secret("right"))
    try await world.change("tara") { $0.passwordHash = hash }
    let other = try await world.signIn(at: "second", key: "other")
    let own = try await world.signIn()
    func change(_ access: Access, _ current: String) async -> Refusal? {
      await refusal(
        try await changePassword(
          PasswordChange(
            access: access, current: Secret(current), new: Secret("mossy stones & lichen"),
            peer: TestWorld.peer), in: world.world))
    }

    for current in ["right"] + Array(repeating: "wrong", count: 9) {
      #expect(await change(own, current)?.code == .managedByProvider)
    }
    #expect(try await world.found("tara")?.passwordHash == hash)
    #expect(try await world.access(other.session.id).session.end == nil)
    // The same request of another session changes it, and no try was used up.
    #expect(await change(other, "right") == nil)
    #expect(try await world.found("tara")?.passwordHash != hash)
  }

  @Test("L-57 a limited session neither shows nor removes what concerns the whole account")
  func notices() async throws {
    let world = try await Self.world()
    let own = try await world.signIn()
    let other = try await world.signIn(at: "second", key: "other")
    _ = try await world.signIn(at: "second", key: "third")
    func notices(_ access: Access) async throws -> [AccountUpdate.Notice] {
      try await readAccount(access, in: world.world).accountUpdate.notices
    }
    let id = try #require(try await notices(other).first?.id)

    #expect(try await notices(own).isEmpty)
    let refused = await refusal(try await dismissNotice(id, own, peer: nil, in: world.world))
    #expect(refused?.code == .noticeNotFound)
    #expect(try await notices(other).count == 1)
    #expect(try await dismissNotice(id, other, peer: nil, in: world.world))
  }

  @Test("L-57 limited sessions end no session and replace no known device elsewhere")
  func many() async throws {
    let world = try await Self.world()
    let other = try await world.signIn(at: "second", key: "other")
    let first = try await world.signIn(key: "first")
    for number in 1..<SignInLimits.sessionsPerAccount {
      _ = try await world.signIn(key: "key\(number)")
    }
    #expect(try await world.access(first.session.id).session.end == nil)
    _ = try await world.signIn(key: "one more")
    #expect(try await world.access(first.session.id).session.end == .sessionLimit)
    #expect(try await devices(in: world).map(\.proofKeyThumbprint) == ["other"])
    // The newer limited sessions count as little for a session of the whole account.
    _ = try await world.signIn(at: "second", key: "third")
    #expect(try await world.access(other.session.id).session.end == nil)
    #expect(
      Set(try await devices(in: world).map(\.proofKeyThumbprint)) == ["other", "third"])
  }

  @Test("L-57 a limited session ends only sign-ins in progress at providers of its organization")
  func signInsInProgress() async throws {
    let world = try await Self.world()
    let hash = try await world.world.passwords.hash(Secret("right"))
    let address = try EmailAddress(parsing: "tara@example.com")
    try await world.change("tara") {
      $0.email = address
      $0.passwordHash = hash
    }
    let client = try #require(world.world.clients[ClientID("technician-app")])
    let own = try await world.signIn(key: "one")
    let second = try await world.signIn(key: "two")
    let finished = await world.finish(try await world.open(key: "three"))
    let atProvider = try #require(finished["code"])
    let terms = SignInTerms(
      client: client, scope: "openid offline_access",
      pkceChallenge: Base64URL.encode(SHA256Digest.of(TestWorld.verifier)), nonce: nil,
      organization: nil, proofKeyThumbprint: "browser", peer: TestWorld.peer)
    let request = PasswordSignInRequest(
      terms: terms, username: address.text, password: Secret("right"))
    // The notices about the devices are sent before the code.
    _ = await world.sentCode()
    let begun = await firstAnswer(try await beginPasswordSignIn(request, in: world.world))
    let code = await world.sentCode()

    #expect(try await endOwnSession(second.session.id, own, peer: nil, in: world.world))
    #expect(try await endOwnSessions(own, peer: nil, in: world.world) == 1)

    #expect(await world.redeem(atProvider, key: "three").refused == .invalidGrant)
    #expect(await world.enter(code, begun.authSession, key: "browser").refused == nil)
  }

  @Test("L-16 sign-ins at a provider on new devices cause a limited number of messages")
  func newDeviceMessages() async throws {
    let world = try await Self.world()
    let address = try EmailAddress(parsing: "tara@example.com")
    try await world.change("tara") { $0.email = address }
    _ = try await world.signIn(key: "first")
    func messages() async throws -> Int {
      try await world.store.read { (transaction) throws(StoreFault) in
        try transaction.messages(of: Self.tara).count
      }
    }

    let most = Int(NewDeviceLimits.messagesPerHour)
    for number in 1...(most + 2) {
      _ = try await world.signIn(key: "key\(number)")
      #expect(try await messages() == min(number, most), "\(number)")
    }
    // The provider of one organization uses up nothing of another's limit.
    _ = try await world.signIn(at: "second", key: "other")
    #expect(try await messages() == most + 1)
    let recorded = try await world.events(of: "tara").filter { $0.code == .newDevice }
    #expect(recorded.count == most + 3)
    world.clock.advance(seconds: 3600)
    _ = try await world.signIn(key: "later")
    #expect(try await messages() == most + 2)
  }

  @Test("L-57 in an account of one organization, its provider makes a device known")
  func knownDevice() async throws {
    let world = try await Self.world([Self.north])
    _ = try await world.signIn()
    #expect(try await devices(in: world).map(\.proofKeyThumbprint) == ["key"])
  }

  @Test("L-57 a limited session names no other organization, to its person or to an API")
  func organizations() async throws {
    let world = try await Self.world()
    try await world.change("tara") {
      $0.permission = Permission([.init(.viewer, in: Self.south), .init(.viewer, in: Self.north)])
    }
    let own = try await world.signIn()
    let other = try await world.signIn(at: "second", key: "other")
    var client = own.client
    client.claims = [TokenClaim(name: "groups", attribute: .organizations)]

    for (access, names) in [(own, ["north"]), (other, ["south", "north"])] {
      let answer = try await readAccount(access, in: world.world)
      #expect(answer.organizations.map(\.id.text) == names)
      #expect(answer.permissions.compactMap { $0.organization?.text }.count == names.count)
      let claims = world.world.claims(of: access.account, in: access.session, of: client)
      let expected = JSON.array(names.map { .string($0) })
      #expect(claims == [JSONMember("groups", expected)])
    }
  }

  @Test("L-57 a limited session reads and changes no work without an organization")
  func work() async throws {
    let world = try await Self.world()
    let now = world.clock.now()
    let spaces: [(String, OrganizationID?)] = [
      ("n", Self.north), ("s", Self.south), ("a", nil),
    ]
    try await world.store.transact { (transaction) throws(StoreFault) in
      for (id, organization) in spaces {
        try transaction.save(
          Job(
            id: id, account: Self.tara, title: "T", customer: "C", place: "P", startsAt: now,
            endsAt: now, status: .scheduled, organization: organization))
        try transaction.save(
          Delivery(
            id: id, account: Self.tara, recipient: "R", place: "P", parcels: 1, startsAt: now,
            endsAt: now, status: .assigned, organization: organization))
      }
    }
    let own = try await world.signIn()
    let other = try await world.signIn(at: "second", key: "other")

    // The other session is in south.
    for (access, ids) in [(own, ["n"]), (other, ["a", "s"])] {
      let (jobs, day) = try await world.world.read { [world = world.world] transaction in
        (
          try listJobs(access, in: world, transaction),
          try readDashboard(access, in: world, transaction)
        )
      }
      #expect(jobs.jobs.map(\.id).sorted() == ids)
      #expect(day.deliveries.map(\.id).sorted() == ids && day.total == Int64(ids.count))
    }
    for (id, isShown) in [("n", true), ("s", false), ("a", false), ("~a", false)] {
      let job = await refusal(
        try await changeJobStatus(
          of: id, to: try StatusChoice(.onTheWay), own, in: world.world))
      let delivery = await refusal(
        try await changeDeliveryStatus(
          of: id, to: try StatusChoice(.pickedUp), own, in: world.world))
      let (noJob, noDelivery): (ErrorCode?, ErrorCode?) =
        isShown ? (nil, nil) : (.jobNotFound, .deliveryNotFound)
      #expect(job?.code == noJob && delivery?.code == noDelivery, "\(id)")
    }
  }
}
