import SignInModel
import SignInTesting
import SignInWire
import Testing

@testable import SignInService

@Suite("Demo")
struct DemoTests {
  private let store = MemoryStore()

  /// A world with the demo and one other account.
  private func world() async throws -> World {
    let world = try await TestWorld.empty(store: store, clock: SimulatedClock())
    let other = Account(
      id: AccountID("other"), email: nil, phone: try PhoneNumber(parsing: "+4790000005"),
      name: "Other", role: .technician, status: .active, passwordHash: nil, organizations: [],
      createdAt: world.clock.now()
    )
    try await store.transact { (transaction) throws(StoreFault) in try transaction.insert(other) }
    #expect(await success(try await prepareDemo(in: world))?.count == Demo.people.count)
    return world
  }

  @Test("L-42 removing the demo removes its accounts and no others, with an event for each")
  func removal() async throws {
    let world = try await world()
    _ = try await makeLoadAccounts(count: DemoLimits.batch + 1, in: world)

    let removed = await success(try await removeDemo(rules: .operatorCommand, in: world))
    let again = await success(try await removeDemo(rules: .operatorCommand, in: world))

    let count = Demo.people.count + DemoLimits.batch + 1
    #expect(removed?.accounts == count)
    #expect((removed?.records ?? 0) > count + Demo.products(at: world.clock.now()).count)
    #expect(again == DemoRemoval())
    await world.linkEvents()
    let (left, events) = try await store.read { (transaction) throws(StoreFault) in
      (
        try transaction.accounts(AccountQuery(""), after: nil, limit: 10).map(\.id.text),
        try transaction.events(after: 0, limit: 1000).filter { $0.code == .accountRemoved }
      )
    }
    #expect(left == ["other"])
    #expect(events.count == count)
    #expect(events.allSatisfy { $0.detail == "shell" })
  }

  @Test("L-42 a failed removal says so and can be repeated")
  func failedRemoval() async throws {
    let world = try await world()
    store.setOutage("the disk is full")
    let failed = await refusal(try await removeDemo(rules: .operatorCommand, in: world))
    #expect(failed?.code == .temporarilyUnavailable)

    store.setOutage(nil)
    #expect(
      await success(try await removeDemo(rules: .operatorCommand, in: world))?.accounts
        == Demo.people.count)
  }

  @Test(
    "L-42 only a messenger on this machine gets demo numbers",
    arguments: [
      ("+15550101234", true, false), ("+15550200001", true, false), ("+15540101234", true, true),
      ("+4790000001", true, false), ("+4790000001", false, true),
      ("+919812345678", true, false), ("+919812345678", false, true),
      ("+4790000002", true, true),
    ] as [(String, Bool, Bool)])
  func numbers(_ number: String, isDevelopment: Bool, isCarried: Bool) throws {
    let kept = Demo.undeliverableNumbers(isDevelopment: isDevelopment)
    let elsewhere = MessengerRouter.NumberPrefixes.allBut(kept)
    let inbox = MessengerRouter.NumberPrefixes.only(kept)
    let phone = try PhoneNumber(parsing: number)

    #expect(elsewhere.include(phone) == isCarried)
    #expect(inbox.include(phone) == !isCarried)
    #expect(MessengerRouter.NumberPrefixes.all.include(phone))
  }

  @Test("L-42 a code for a demo number goes to the inbox even if another messenger is first")
  func handing() async throws {
    let test = try await TestWorld()
    let (vendor, inbox) = (RecordingMessenger(name: "vendor"), RecordingMessenger(name: "inbox"))
    let kept = Demo.undeliverableNumbers(isDevelopment: true)
    _ = await test.begin()

    await deliverMessages(
      over: MessengerRouter([
        .init(vendor, numbers: .allBut(kept)), .init(inbox, numbers: .only(kept)),
      ]), in: test.world)

    #expect(vendor.tries == 0)
    #expect(inbox.messages.map(\.to.text) == ["+15550101234"])
  }

  @Test(
    "L-42 the address decides whether a messenger is on this machine",
    arguments: [
      ("inbox", [:], true), ("webhook", ["url": "http://127.0.0.1:8000/x"], true),
      ("webhook", ["url": "http://localhost/x"], true),
      ("webhook", ["url": "https://127.0.0.1.example.com/"], false),
      ("webhook", ["url": "https://sms.example.com/"], false),
      ("twilio", [:], false), ("twilio", ["endpoint": "http://[::1]:9"], true),
      ("aws-sns", [:], false), ("smpp", ["host": "127.0.0.1"], true),
      ("smpp", ["host": "smpp.example.com"], false), ("smtp", ["host": "localhost"], true),
    ] as [(String, [String: String], Bool)])
  func places(kind: String, texts: [String: String], isHere: Bool) {
    var messenger = Configuration.Messenger(name: "m", kind: kind)
    messenger.texts = texts

    #expect(messenger.isOnThisMachine == isHere)
  }

  @Test("L-54 the numbers to call in the demo are in the form in which they are stored")
  func numbersToCall() throws {
    let now = Instant(seconds: 1_800_000_000)
    let numbers = Demo.jobs(at: now).map(\.phone) + Demo.deliveries(at: now).map(\.phone)
    for number in numbers {
      let text = try #require(number)
      #expect(try PhoneNumber(parsing: text).e164 == text)
    }
  }
}
