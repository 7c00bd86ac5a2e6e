import SignInModel
import SignInService
import StreamClient
import Synchronization
import Threads

/// A messenger for a gateway that speaks SMPP 3.4, optionally over TLS.
///
/// It has one connection for both directions, on its own thread. A gateway does not recognise a
/// repeated message.
final class SMPPMessenger: ConfiguredMessenger {
  static let kind = MessengerKind(
    "smpp",
    keys: [
      .required("host", .hostName, "The gateway"),
      .required("port", .port, "The gateway's port"),
      .required("system_id", .line, "The account at the gateway"),
      .required("source", .line, "The sending number or name"),
      .optional("tls", .flag(usually: false), "Use TLS for the connection to the gateway"),
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
  /// The largest number of bytes that wait for a gateway that does not read.
  ///
  /// After that, the connection closes.
  static let outgoingByteLimit = 1 << 20
  static let tickMilliseconds: Int32 = 250

  let name: String
  private let clock: any Clock
  private let alarm: WakeSignal
  private let submissions: SubmissionQueue

  /// A message to submit, and the callback that gets the result.
  fileprivate struct Submission: Sendable {
    let message: TextMessage
    let lifeSeconds: Int64
    let reply: @Sendable (SMPPSession.Answer) -> Void
  }

  /// The messages that senders give to the thread.
  private final class SubmissionQueue: Sendable {
    struct State {
      var asked: [Submission] = []
      var isOver = false
    }
    let state = Mutex(State())
  }

  static func check(_ order: MessengerSetup) throws(MessengerMistake) {
    _ = try account(order)
  }

  /// The account at the gateway.
  ///
  /// Throws if the order has a mistake.
  private static func account(
    _ order: MessengerSetup
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
    guard !order.settings.isSentUnencrypted || order.settings.allowsPlaintext else {
      throw MessengerMistake(
        key: "tls", problem: "is off, and others on the way could read codes and the password",
        remedy: "set `tls` to true, or `allow_plaintext` where the way to the gateway is private"
      )
    }
    return account
  }

  init(_ order: MessengerSetup) throws(MessengerMistake) {
    name = order.name
    let account = try Self.account(order)
    let host = try order.text("host")
    let port = UInt16(clamping: order.settings.numbers["port"] ?? 2775)
    let tls = order.settings.flags["tls"] ?? false
    clock = order.clock
    let alarm = WakeSignal()
    let submissions = SubmissionQueue()
    self.alarm = alarm
    self.submissions = submissions
    let report = order.report
    // The thread ends by itself after the messenger is released.
    _ = WorkerThread {
      var thread = SMPPThread(
        session: SMPPSession(account, at: MonotonicTime.now()), host: host, port: port, tls: tls,
        alarm: alarm, report: report
      )
      while let asked = Self.take(submissions) { thread.turn(asked) }
    }
  }

  deinit {
    submissions.state.withLock { $0.isOver = true }
    alarm.wake()
  }

  func send(_ message: TextMessage) async throws(TextMessengerFault) -> Acceptance {
    _ = try message.phoneNumber()
    let life = clock.now().wholeSeconds(until: message.expiresAt)
    let answer = await withUnsafeContinuation { continuation in
      let submission = Submission(message: message, lifeSeconds: life) {
        continuation.resume(returning: $0)
      }
      submissions.state.withLock { $0.asked.append(submission) }
      alarm.wake()
    }
    switch answer {
    case .taken(let reference): return Acceptance(reference: reference)
    case .fault(let fault): throw fault
    }
  }

  private static func take(_ submissions: SubmissionQueue) -> [Submission]? {
    submissions.state.withLock { state in
      if state.isOver, state.asked.isEmpty { return nil }
      defer { state.asked = [] }
      return state.asked
    }
  }
}

/// A time that no clock change affects, for the timeouts of the session.
private enum MonotonicTime {
  static func now() -> Instant {
    let passed = ContinuousClock.now - start
    return Instant(
      milliseconds: passed.components.seconds * 1000
        + passed.components.attoseconds / 1_000_000_000_000_000)
  }

  private static let start = ContinuousClock.now
}

/// Performs the effects of the session on one thread.
private struct SMPPThread {
  var session: SMPPSession
  let host: String
  let port: UInt16
  let tls: Bool
  let alarm: WakeSignal
  let report: @Sendable (DeliveryReport) -> Void
  private var connection: StreamConnection?
  private var incoming: [UInt8] = []
  private var outgoing: [UInt8] = []
  private var replies: [Int: @Sendable (SMPPSession.Answer) -> Void] = [:]
  private var lastTicket = 0

  init(
    session: SMPPSession, host: String, port: UInt16, tls: Bool, alarm: WakeSignal,
    report: @escaping @Sendable (DeliveryReport) -> Void
  ) {
    self.session = session
    self.host = host
    self.port = port
    self.tls = tls
    self.alarm = alarm
    self.report = report
  }

  mutating func turn(_ submissions: [SMPPMessenger.Submission]) {
    for submission in submissions {
      lastTicket += 1
      replies[lastTicket] = submission.reply
      handle(.asked(submission.message, lifeSeconds: submission.lifeSeconds, ticket: lastTicket))
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

  /// Writes and reads as much as is possible without waiting.
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
    do throws(SMPPMalformed) {
      while self.connection != nil, let unit = try SMPPUnit.take(from: &rest) {
        handle(.received(unit))
      }
    } catch {
      return lose()
    }
    if self.connection != nil { incoming = Array(rest) }
    // Limits the memory for a gateway that sends requests and does not read the answers.
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
        // The last bytes, such as an answer to `unbind`, may be lost.
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
