import JSONText
import SignInModel
import SignInRules
import SignInTesting
import SignInWire
import Testing

@testable import SignInService

@Suite("Changing policies")
struct PolicyChangeTests {
  @Test("For security values, an organization can only be stricter", arguments: Self.restricted)
  func stricter(_ path: String, _ looser: Int64, _ stricter: Int64) async throws {
    let client = TestWorld.technicians { client in
      client.policy[.longestLock] = 7200
      client.policy[.lockoutStop] = 50
    }
    let test = try await TestWorld(
      client: client, organizations: [try TestWorld.organization("north")]
    )
    let keys = path.split(separator: ".")
    func setting(_ number: Int64) -> String {
      let inner = "{\"\(keys[keys.count - 1])\": \(number)}"
      return "{\"policy\": \(keys.count == 1 ? inner : "{\"\(keys[0])\": \(inner)}")}"
    }

    try await test.changeOrganization("north", setting(looser))
    let unchanged = try await test.registration(of: "north")
    try await test.changeOrganization("north", setting(stricter))
    let changed = try await test.registration(of: "north")

    #expect(unchanged == client)
    let shown = keys.reduce(JSON.object(changed.settings)) { $0[String($1)] ?? .null }
    #expect(shown == .int(stricter))
  }

  static let restricted: [(String, Int64, Int64)] = [
    ("code.digits", 6, 7), ("code.life_seconds", 301, 299), ("code.resend_seconds", 59, 61),
    ("lockout.failures", 6, 4), ("lockout.lock_seconds", 899, 901),
    ("lockout.longest_lock_seconds", 7199, 7201), ("lockout.stop_after", 51, 49),
    ("throttle.sends_per_address_per_hour", 201, 199),
    ("throttle.failures_per_address_per_hour", 101, 99),
    ("throttle.sends_per_device_per_hour", 6, 4), ("messages.per_number_per_hour", 6, 4),
    ("messages.per_number_per_day", 11, 9), ("messages.per_prefix_per_day", 1001, 999),
    ("access_token_seconds", 301, 299), ("offline_seconds", 2_592_001, 2_591_999),
    ("password_reset_wait_seconds", 86_399, 86_401),
  ]

  @Test("An organization can conceal and lock where an app does not, and never the reverse")
  func words() async throws {
    let open = #"{"policy": {"disclosure": "disclosed", "unlock": "none"}}"#
    let shut = #"{"policy": {"disclosure": "concealed", "unlock": "biometric"}}"#
    for isStrict in [false, true] {
      let client = TestWorld.technicians { client in
        client.policy.disclosure = isStrict ? .concealed : .disclosed
        client.policy.unlock = isStrict ? .biometric : .none
      }
      let test = try await TestWorld(
        client: client, organizations: [try TestWorld.organization("north")]
      )

      try await test.changeOrganization("north", open)
      #expect(try await test.registration(of: "north") == client)
      try await test.changeOrganization("north", shut)
      let app = try await test.registration(of: "north")
      #expect(app.policy.disclosure == .concealed && app.policy.unlock == .biometric)
    }
  }

  @Test("An organization may change its sessions, texts and budget in both directions")
  func own() async throws {
    let test = try await TestWorld(organizations: [try TestWorld.organization("north")])

    try await test.changeOrganization(
      "north",
      #"{"policy": {"session_seconds": 31536000, "idle_seconds": 2592001,"#
        + #" "background_seconds": 86400, "messages": {"per_organization_per_day": 9000}}}"#
    )

    let app = try await test.registration(of: "north")
    #expect(app.policy[.session] == 31_536_000 && app.policy[.idle] == 2_592_001)
    #expect(
      app.policy[.background] == 86_400 && app.policy[.organizationDaily] == 9000)
  }

  @Test("Every mistake is reported at once with its path, and nothing changes")
  func mistakes() async throws {
    let test = try await TestWorld(organizations: [try TestWorld.organization("north")])

    let client = await refusal(
      try await test.changeClient(
        #"{"lockout": {"failures": 2, "stop_after": 101}, "code": {"digits": 5}, "name": "x","#
          + #" "unlok": "none", "texts": {"sign_in": "no place"}, "countries": [],"#
          + #" "idle_seconds": 600, "session_seconds": 599, "messages": 5}"#
      ))
    let organization = await refusal(
      try await test.changeOrganization(
        "north",
        #"{"policy": {"lockout": {"failures": "3"}, "messages": {"per_day": 1}}, "id": "x"}"#
      ))

    #expect(
      client?.mistakes.map(\.member) == [
        "name", "lockout.failures", "lockout.stop_after", "unlok", "texts.sign_in", "countries",
        "messages", "code.digits", "idle_seconds",
      ]
    )
    #expect(
      organization?.mistakes.map(\.member) == [
        "id", "policy.lockout.failures", "policy.messages.per_day",
      ])
    #expect(organization?.code == .invalidPolicy)
    #expect(try await test.registration() == test.client)
    #expect(try await test.events().isEmpty)
  }

  @Test("Each change is an event with its author and values; a repeated change is none")
  func events() async throws {
    let test = try await TestWorld(organizations: [try TestWorld.organization("north")])
    let patch = #"{"lockout": {"failures": 3}, "unlock": "biometric"}"#

    try await test.changeClient(patch)
    try await test.changeClient(patch)
    try await test.changeClient(#"{"lockout": {"failures": null, "stop_after": 50}}"#)
    try await test.changeOrganization("north", #"{"policy": {"countries": ["+47"]}}"#)
    try await test.changeOrganization("north", #"{"policy": null}"#)

    let events = try await test.events()
    #expect(
      events.map { "\($0.code.rawValue) \($0.detail ?? "")" } == [
        "policy.client_changed ada technician-app "
          + #"{"lockout.failures":[5,3],"unlock":["none","biometric"]}"#,
        "policy.client_changed ada technician-app "
          + #"{"lockout.failures":[3,5],"lockout.stop_after":[100,50]}"#,
        #"policy.organization_changed ada north {"countries":[null,["+47"]]}"#,
        #"policy.organization_changed ada north {"countries":[["+47"],null]}"#,
      ]
    )
    #expect(events.allSatisfy { $0.client == ClientID("console") && $0.peer == TestWorld.peer })
  }

  @Test("An event has the configured value of an organization, and the values that an app shows")
  func configuredValues() async throws {
    let north = try TestWorld.organization("north", #"{"background_seconds": 90}"#)
    let client = TestWorld.technicians { client in client.policy[.firstLock] = 120 }
    let test = try await TestWorld(client: client, organizations: [north])

    try await test.changeOrganization("north", #"{"policy": {"background_seconds": 60}}"#)
    try await test.changeClient(
      #"{"lockout": {"lock_seconds": 180}, "texts": {"sign_in": "{code}"}}"#)
    try await test.changeClient(#"{"lockout": null}"#)

    let details = try await test.events().map { $0.detail ?? "" }
    #expect(
      details == [
        #"ada north {"background_seconds":[90,60]}"#,
        "ada technician-app "
          + #"{"lockout.lock_seconds":[120,180],"texts.sign_in":[null,"{code}"]}"#,
        #"ada technician-app {"lockout.lock_seconds":[180,120]}"#,
      ])
  }

  @Test("An event cuts a long text and a long list", arguments: [-1, 0, 1])
  func longValues(_ excess: Int) throws {
    let text = String(repeating: "क", count: PolicyValueChange.textLengthLimit + excess)
    let list = [JSON](repeating: .string("+47"), count: PolicyValueChange.listLengthLimit + excess)

    let change = PolicyValueChange(cutting: .string(text), to: .array(list), of: "texts.sign_in")

    let values = try #require(change.values)
    let mark = PolicyValueChange.cutMark
    #expect(values.old == .string(excess > 0 ? String(text.dropLast()) + mark : text))
    #expect(values.new == .array(excess > 0 ? list.dropLast() + [.string(mark)] : list))
  }

  @Test("An outdated tag is refused after another change and changes nothing")
  func tags() async throws {
    let test = try await TestWorld()
    let read = try #require(
      await success(try await showClient(test.client.id, rules: .operatorCommand, in: test.world)))
    let made = try await test.changeClient(#"{"unlock": "biometric"}"#, tags: ["x", read.tag])

    let stale = await refusal(
      try await test.changeClient(#"{"unlock": "none"}"#, tags: [read.tag]))

    #expect(made.tag != read.tag && stale?.code == .preconditionFailed)
    #expect(try await test.registration().policy.unlock == .biometric)
    let again = await success(
      try await showClient(test.client.id, rules: .operatorCommand, in: test.world))
    #expect(again?.tag == made.tag)
  }

  @Test("An unknown app and an unknown organization are not found")
  func missing() async throws {
    let test = try await TestWorld()
    let request = PolicyChangeRequest(patch: .object([]), tags: nil, rules: .operatorCommand)

    let app = await result(try await changeClientPolicy(of: ClientID("x"), request, in: test.world))
    let organization = await result(
      try await changeOrganizationPolicy(
        of: OrganizationID("x"), request, in: test.world
      ))

    #expect(app.refusal?.code == .clientNotFound)
    #expect(organization.refusal?.code == .organizationNotFound)
  }

  @Test("A later configuration with a shorter session limits a stored idle time")
  func contradiction() async throws {
    let changes = PolicyChanges(.members([JSONMember("idle_seconds", 86_400)]))
    let client = TestWorld.technicians { client in
      client.policy[.session] = 3600
      client.policy[.idle] = 600
    }
    let test = try await TestWorld(client: client)
    try await test.store.transact { (transaction) throws(StoreFault) in
      try transaction.save(changes, of: .client(client.id))
    }

    #expect(try await test.registration().policy[.idle] == 3600)
  }

  @Test(
    "P-09 the text of a message has a place for the code and no other braces",
    arguments: [
      ("{code}", true), ("Code {code}, {minutes} min\n@{host} #{code}", true), ("no code", false),
      ("{code} {name}", false), ("{code", false), ("{code}}", true), ("{code}\t", false),
      ("", false),
      (String(repeating: "x", count: 194) + "{code}", true),
      (String(repeating: "x", count: 193) + "{code}", true),
      (String(repeating: "x", count: 195) + "{code}", false),
    ] as [(String, Bool)]
  )
  func texts(_ text: String, _ isRight: Bool) {
    #expect((TextFormat.message.problem(text) == nil) == isRight)
  }
}
