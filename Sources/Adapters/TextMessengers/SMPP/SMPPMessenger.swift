import SignInModel
import SignInService
import StreamClient
import Synchronization
import Threads

/// A gateway that speaks SMPP, version 3.4, over TLS if it can.
///
/// One connection, bound both ways, on a thread of its own. It recognises no repetition.
final class SMPPMessenger: ConfiguredMessenger {
  static let kind = MessengerKind(
    "smpp",
    keys: [
      .required("host", .hostName, "The gateway"),
      .required("port", .port, "The gateway's port"),
      .required("system_id", .line, "The account at the gateway"),
      .required("source", .line, "The sending number or name"),
      .optional("tls", .flag(usually: false), "Speak TLS to the gateway"),
      .optional(
        Configuration.Messenger.allowPlaintext, .flag(usually: false),
        "Send codes and the password unencrypted to a gateway on another machine"),
      .optional(
        "alphabet", .choice(SMPPText.Alphabet.allCases.map(\.rawValue), usually: "gsm7"),
        "The gateway's default alphabet"),
    ],
    secret: "password"
  )

  static let connectMilliseconds: Int64 = 2000
  /// What waits to be read by a gateway that does not read.
  static let outgoingByteLimit = 1 << 20
  static let tickMilliseconds: Int32 = 250

  let name: String
  private let clock: any Clock
  private let alarm: Alarm
  private let wishes: Wishes

  /// One message, and whom to tell what came of it.
  fileprivate struct Wish: Sendable {
    let message: TextMessage
    let lifeSeconds: Int64
    let reply: @Sendable (SMPPSession.Answer) -> Void
  }

  /// What senders ask of the thread.
  private final class Wishes: Sendable {
    struct State {
      var asked: [Wish] = []
      var isOver = false
    }
    let state = Mutex(State())
  }

  static func check(_ order: MessengerOrder) throws(MessengerMistake) {
    _ = try account(order)
  }

  /// The account at the gateway, where the order has no mistake.
  private static func account(
    _ order: MessengerOrder
  ) throws(MessengerMistake) -> SMPPSession.Account {
    _ = try order.text("host")
    let account = SMPPSession.Account(
      systemID: try order.text("system_id"), password: try order.secret(),
      source: try order.text("source"),
      alphabet: order.texts["alphabet"].flatMap(SMPPText.Alphabet.init(rawValue:)) ?? .gsm7
    )
    guard account.password.revealed.utf8.count <= 8, account.systemID.utf8.count <= 15 else {
      throw MessengerMistake(
        key: "password_file", problem: "or `system_id` is longer than SMPP 3.4 allows",
        remedy: "use a password of at most 8 bytes and a system_id of at most 15"
      )
    }
    guard !order.settings.isReadableOnTheWay || order.settings.allowsPlaintext else {
      throw MessengerMistake(
        key: "tls", problem: "is off, and others on the way could read codes and the password",
        remedy: "set `tls` to true, or `allow_plaintext` where the way to the gateway is private"
      )
    }
    return account
  }

  init(_ order: MessengerOrder) throws(MessengerMistake) {
    name = order.name
    let account = try Self.account(order)
    let host = try order.text("host")
    let port = UInt16(clamping: order.settings.numbers["port"] ?? 2775)
    let tls = order.settings.flags["tls"] ?? false
    clock = order.clock
    let alarm = Alarm()
    let wishes = Wishes()
    self.alarm = alarm
    self.wishes = wishes
    let report = order.report
    // It lives as long as the messenger, and ends by itself after it.
    _ = WorkerThread {
      var thread = SMPPThread(
        session: SMPPSession(account, at: MonotonicTime.now()), host: host, port: port, tls: tls,
        alarm: alarm, report: report
      )
      while let asked = Self.take(wishes) { thread.turn(asked) }
    }
  }

  deinit {
    wishes.state.withLock { $0.isOver = true }
    alarm.ring()
  }

  func send(_ message: TextMessage) async throws(TextMessengerFault) -> Charge {
    _ = try message.phoneNumber()
    let life = clock.now().wholeSeconds(until: message.expiresAt)
    let answer = await withUnsafeContinuation { continuation in
      let wish = Wish(message: message, lifeSeconds: life) { continuation.resume(returning: $0) }
      wishes.state.withLock { $0.asked.append(wish) }
      alarm.ring()
    }
    switch answer {
    case .taken(let reference): return Charge(reference: reference)
    case .fault(let fault): throw fault
    }
  }

  private static func take(_ wishes: Wishes) -> [Wish]? {
    wishes.state.withLock { state in
      if state.isOver, state.asked.isEmpty { return nil }
      defer { state.asked = [] }
      return state.asked
    }
  }
}

/// Time that no clock change touches, for the session's waits.
private enum MonotonicTime {
  static func now() -> Instant {
    let passed = ContinuousClock.now - start
    return Instant(
      milliseconds: passed.components.seconds * 1000
        + passed.components.attoseconds / 1_000_000_000_000_000)
  }

  private static let start = ContinuousClock.now
}

/// Performs what the session decides, on one thread.
private struct SMPPThread {
  var session: SMPPSession
  let host: String
  let port: UInt16
  let tls: Bool
  let alarm: Alarm
  let report: @Sendable (DeliveryReport) -> Void
  private var connection: StreamConnection?
  private var incoming: [UInt8] = []
  private var outgoing: [UInt8] = []
  private var replies: [Int: @Sendable (SMPPSession.Answer) -> Void] = [:]
  private var lastTicket = 0

  init(
    session: SMPPSession, host: String, port: UInt16, tls: Bool, alarm: Alarm,
    report: @escaping @Sendable (DeliveryReport) -> Void
  ) {
    self.session = session
    self.host = host
    self.port = port
    self.tls = tls
    self.alarm = alarm
    self.report = report
  }

  mutating func turn(_ wishes: [SMPPMessenger.Wish]) {
    for wish in wishes {
      lastTicket += 1
      replies[lastTicket] = wish.reply
      handle(.asked(wish.message, lifeSeconds: wish.lifeSeconds, ticket: lastTicket))
    }
    handle(.ticked)
    converse()
    if let connection {
      connection.wait(
        wantsToWrite: !outgoing.isEmpty, alarm: alarm,
        milliseconds: SMPPMessenger.tickMilliseconds
      )
    } else {
      alarm.wait(milliseconds: SMPPMessenger.tickMilliseconds)
    }
  }

  /// Writes and reads what can be, without waiting.
  private mutating func converse() {
    guard let connection else { return }
    do throws(StreamFault) {
      outgoing.removeFirst(try connection.write(outgoing))
      incoming += try connection.read()
    } catch {
      return lose()
    }
    var rest = incoming[...]
    incoming = []
    do throws(SMPPGibberish) {
      while self.connection != nil, let unit = try SMPPUnit.take(from: &rest) {
        handle(.received(unit))
      }
    } catch {
      return lose()
    }
    if self.connection != nil { incoming = Array(rest) }
    // Limits what is kept for a gateway that sends requests and reads no answer.
    if outgoing.count > SMPPMessenger.outgoingByteLimit { lose() }
  }

  private mutating func lose() {
    connection = nil
    incoming = []
    outgoing = []
    handle(.lost)
  }

  private mutating func handle(_ event: SMPPSession.Event) {
    for effect in session.handle(event, at: MonotonicTime.now()) {
      switch effect {
      case .connect: connect()
      case .send(let unit): outgoing += unit.bytes
      case .end:
        // What is still to be said, an answer to `unbind` perhaps, may be lost.
        if let connection {
          do throws(StreamFault) { _ = try connection.write(outgoing) } catch { incoming = [] }
        }
        connection = nil
        incoming = []
        outgoing = []
      case .answer(let ticket, let answer): replies.removeValue(forKey: ticket)?(answer)
      case .report(let heard): report(heard)
      }
    }
  }

  private mutating func connect() {
    do throws(StreamFault) {
      connection = try StreamConnection(
        host: host, port: port, tls: tls,
        deadlineMilliseconds: SMPPMessenger.connectMilliseconds
      )
    } catch {
      return handle(.unreachable(error.what))
    }
    handle(.connected)
  }
}
