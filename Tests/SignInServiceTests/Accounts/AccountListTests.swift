import JSONText
import SignInModel
import SignInService
import SignInTesting
import SignInWire
import Testing

@Suite("Lists for administrators")
struct AccountListTests {
  /// A world with Tara and ten riders, each created a second after the one before.
  static func manyRiders() async throws -> TestWorld {
    let world = try await TestWorld()
    for number in 0..<10 {
      world.clock.advance(seconds: 1)
      let creation = try AccountTests.creation(
        "Rider \(number)", role: .rider, email: number == 3 ? "three@example.com" : nil,
        phone: "+91981234560\(number)", password: nil
      )
      _ = try await createAccount(creation, rules: .operatorCommand, in: world.world)
    }
    return world
  }

  static func names(_ query: AccountQuery, in world: World) async -> [String] {
    let page = await success(
      try await listAccounts(query, try PageRequest(limit: 200), rules: .operatorCommand, in: world)
    )
    return page?.entries.map { $0.name } ?? []
  }

  @Test("T-16 accounts are found by part of name, e-mail or phone, by status and by role")
  func search() async throws {
    let world = try await Self.manyRiders().world

    #expect(await Self.names(AccountQuery("rIdEr 7"), in: world) == ["Rider 7"])
    #expect(await Self.names(AccountQuery("THREE@"), in: world) == ["Rider 3"])
    #expect(await Self.names(AccountQuery("+91 98123-45604"), in: world) == ["Rider 4"])
    #expect(await Self.names(AccountQuery("010.1234"), in: world) == ["Tara"])
    #expect(await Self.names(AccountQuery("+91 (0)98123"), in: world).count == 10)
    for spelling in [
      "+91 (0) 98123\u{2011}45604", "098123 45604", "0091 98123 45604", "+९१ ९८१२३ ४५६०४",
      "\u{200E}+91\u{A0}98123\u{A0}45604",
    ] {
      #expect(await Self.names(AccountQuery(spelling), in: world) == ["Rider 4"], "\(spelling)")
    }
    for spelling in ["<Three@EXAMPLE.com>", "\u{A0}three@example.com.", "three＠example.com"] {
      #expect(await Self.names(AccountQuery(spelling), in: world) == ["Rider 3"], "\(spelling)")
    }
    #expect(await Self.names(AccountQuery("%"), in: world).isEmpty)
    #expect(await Self.names(AccountQuery("", role: .technician), in: world) == ["Tara"])
    #expect(await Self.names(AccountQuery("", status: .pending), in: world).isEmpty)
    #expect(await Self.names(AccountQuery("rider", status: .active), in: world).count == 10)
    #expect(await Self.names(AccountQuery("tara", role: .rider), in: world).isEmpty)
  }

  @Test(
    "Pages follow each other, newest first, despite additions and removals between them",
    arguments: 1...12)
  func pages(_ limit: Int) async throws {
    let world = try await Self.manyRiders()
    var seen: [String] = []
    var cursor: ListCursor?

    repeat {
      let page = try #require(
        await success(
          try await listAccounts(
            AccountQuery(), try PageRequest(after: cursor, limit: limit), rules: .operatorCommand,
            in: world.world)
        )
      )
      #expect(!page.entries.isEmpty && page.entries.count <= limit)
      seen += page.entries.map { $0.name }
      cursor = page.cursor
      // A new account belongs to a page that was already read.
      world.clock.advance(seconds: 1)
      let late = try AccountTests.creation(
        "Late", role: .owner, email: "late\(seen.count)@example.com",
        phone: "+4790000\(100 + seen.count)", password: nil
      )
      _ = try await createAccount(late, rules: .operatorCommand, in: world.world)
    } while cursor != nil

    #expect(seen == (0..<10).reversed().map { "Rider \($0)" } + ["Tara"])
  }

  @Test(
    "A page has 1 to 200 entries",
    arguments: [(0, false), (1, true), (199, true), (200, true), (201, false)]
  )
  func limits(_ limit: Int, _ isRight: Bool) async throws {
    let world = try await TestWorld().world

    let accounts = await result(
      try await listAccounts(
        AccountQuery(), try PageRequest(limit: limit), rules: .operatorCommand, in: world))
    let messages = await result(
      try await listMessages(try PageRequest(limit: limit), rules: .operatorCommand, in: world))

    #expect((accounts.value != nil) == isRight)
    #expect((messages.value != nil) == isRight)
    #expect(accounts.refusal?.code == (isRight ? nil : .invalidRequest))
  }

  @Test(
    "A cursor of another format is refused",
    arguments: ["", "x", "%", "MQ", "L2E", "YS9i", String(repeating: "A", count: 257)]
  )
  func cursors(_ cursor: String) async throws {
    let world = try await TestWorld().world

    let page = await result(
      try await listAccounts(
        AccountQuery(), try PageRequest(parsing: cursor, limit: 10), rules: .operatorCommand,
        in: world))

    #expect(page.refusal?.code == .invalidRequest)
  }

  @Test("T-16 accounts are read by identifier, in order; unknown and hidden ones are left out")
  func identifiers() async throws {
    let world = try await TestWorld(organizations: [
      try TestWorld.organization("north"), try TestWorld.organization("south"),
    ])
    try await world.insert(administrator: "ada", .everything, organizations: ["south"])
    let north = Permission([Permission.Grant(.viewer, in: OrganizationID("north"))])
    try await world.insert(administrator: "nia", north, organizations: ["north"])
    let ids = ["nia", "unknown", "ada"].map { AccountID($0) }
    let nia = AccountEditingRules(administrator: AccountID("nia"), caller: TestWorld.rules.caller)

    let all = await success(try await listAccounts(ids, rules: .operatorCommand, in: world.world))
    let seen = await success(try await listAccounts(ids, rules: nia, in: world.world))

    #expect(all?.entries.map(\.id.text) == ["nia", "ada"] && all?.cursor == nil)
    #expect(seen?.entries.map(\.id.text) == ["nia"])
  }

  @Test("T-16 at most a hundred identifiers are read at once", arguments: [99, 100, 101])
  func identifierLimit(_ count: Int) async throws {
    let world = try await TestWorld().world
    let ids = (0..<count).map { AccountID("a\($0)") }

    let page = await result(try await listAccounts(ids, rules: .operatorCommand, in: world))
    #expect((page.value != nil) == (count <= AccountEntry.idLimit))
    #expect(page.refusal?.code == (count <= AccountEntry.idLimit ? nil : .invalidRequest))
  }

  @Test("The delivery log shows the state of messages, but neither text nor complete number")
  func messages() async throws {
    let world = try await TestWorld()
    _ = await world.begin()
    let waiting = await success(
      try await listMessages(try PageRequest(limit: 10), rules: .operatorCommand, in: world.world))
    let code = await world.code()
    world.clock.advance(seconds: 61)
    _ = await world.begin()

    let page = await success(
      try await listMessages(try PageRequest(limit: 1), rules: .operatorCommand, in: world.world))
    let rest = await success(
      try await listMessages(
        try PageRequest(after: page?.cursor, limit: 1), rules: .operatorCommand, in: world.world))

    #expect(waiting?.entries.map { $0.state } == ["waiting"])
    #expect(page?.entries.map { $0.state } == ["waiting"])
    #expect(rest?.entries.map { $0.state } == ["handed_over"] && rest?.cursor == nil)
    let text = String(decoding: rest?.entries.first?.json.utf8 ?? [], as: UTF8.self)
    #expect(text.contains("***-***-1234"))
    #expect(!text.contains(code) && !text.contains("+1555"))
  }

  @Test("Valid sessions are listed, newest first, and end one by one or together")
  func sessions() async throws {
    let world = try await TestWorld()
    let phone = try await world.signIn(key: "phone")
    world.clock.advance(seconds: 61)
    let tablet = try await world.signIn(key: "tablet")
    let id = AccountTests.tara

    let entries = await success(
      try await listSessions(
        of: id, current: phone.session.id, rules: .operatorCommand, in: world.world)
    )
    #expect(entries?.map { $0.id } == [tablet.session.id, phone.session.id])
    #expect(entries?.map { $0.isCurrent } == [false, true])
    #expect(
      await success(try await endSessions(of: id, rules: .operatorCommand, in: world.world)) == 2)
    #expect(
      await success(try await endSessions(of: id, rules: .operatorCommand, in: world.world)) == 0)
    #expect(
      await success(try await listSessions(of: id, rules: .operatorCommand, in: world.world)) == [])
    #expect(
      await refusal(try await world.refresh(phone.refreshToken, key: "phone"))?.reason == "revoked")
  }

  @Test("A session idle for too long is not listed", arguments: [(-1, 1), (0, 0)])
  func idle(_ offset: Int64, _ count: Int) async throws {
    let world = try await TestWorld()
    _ = try await world.signIn()
    world.clock.advance(seconds: world.client.policy[.idle] + offset)

    let entries = await success(
      try await listSessions(of: AccountTests.tara, rules: .operatorCommand, in: world.world))

    #expect(entries?.count == count)
  }
}
