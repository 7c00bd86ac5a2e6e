import Cryptography
import Glibc
import SignInModel
import SignInService
import Synchronization
import SystemPorts
import TextMessengers
import Threads

/// `fieldpass messages`: sends a test message with one messenger, and reports the cost of messages.
enum MessagesCommand {
  struct Options {
    var config = ""
    var to = ""
    var via = ""
    var isDevelopment = false
    /// The cost report; `nil` for the command `send`.
    var costs: CostOptions?

    static func parse(_ arguments: ArraySlice<String>) -> Result<Options, CommandMistake> {
      var options = Options()
      if arguments.first == "cost" {
        return CostOptions.parse(arguments.dropFirst()).map {
          options.costs = $0
          return options
        }
      }
      guard arguments.first == "send" else {
        return .failure(CommandMistake("`messages` takes `send` or `cost`"))
      }
      var rest = arguments.dropFirst()
      while let name = rest.popFirst() {
        if name == "--development" {
          options.isDevelopment = true
          continue
        }
        guard ["--config", "--to", "--via"].contains(name) else {
          return .failure(CommandMistake("`messages send` does not take `\(name)`"))
        }
        guard let value = rest.popFirst() else {
          return .failure(CommandMistake("`\(name)` needs a value"))
        }
        switch name {
        case "--config": options.config = value
        case "--to": options.to = value
        default: options.via = value
        }
      }
      for (name, value) in [
        ("--config", options.config), ("--to", options.to), ("--via", options.via),
      ] where value.isEmpty {
        return .failure(CommandMistake("`messages send` needs `\(name)`"))
      }
      return .success(options)
    }
  }

  static let usage = sendUsage + "\n\n" + CostOptions.usage

  static let sendUsage = """
    fieldpass messages send    send one test message, and print whether the messenger accepted it

      --config FILE           the configuration
      --to NUMBER             the number, such as +4790000001, or an e-mail address
      --via NAME              the messenger's name
      --development           read the configuration as `serve --development` does
    """

  static let text = "This is a test message from Fieldpass. Do not reply."

  /// Returns the exit status: 2 if the messenger refused.
  static func run(_ options: Options) -> Int32 {
    if let costs = options.costs { return reportCosts(costs) }
    do throws(StartFault) {
      let recipient: Recipient
      do throws(Malformed) { recipient = try Recipient(parsing: options.to) } catch {
        complain(
          "`\(options.to)` is not a phone number or an email address",
          hint: "write it as +4790000001 or name@example.com"
        )
        return ExitStatus.misused
      }
      let clock = MachineClock()
      let configuration = try ServerSettings.read(
        options.config, isDevelopment: options.isDevelopment)
      let inbox = options.isDevelopment ? InboxMessenger(clock: clock) : nil
      let board = try MessengerFactory.router(
        configuration, inbox: inbox, clock: clock, reports: DeliveryReportQueue()
      )
      guard let line = board.lines.first(where: { $0.messenger.name == options.via }) else {
        complain(
          "no messenger is called `\(options.via)`",
          hint: "choose one of \(board.lines.map(\.messenger.name).joined(separator: ", "))"
        )
        return ExitStatus.refused
      }
      if let phone = recipient.phone, !line.numbers.include(phone) {
        complain(
          "`\(options.to)` is a demo number, and \(options.via) is on another machine",
          hint: "use your own number"
        )
        return ExitStatus.refused
      }
      guard line.messenger.carries(recipient) else {
        complain(
          "\(options.via) cannot send messages to `\(options.to)`",
          hint: "an smtp messenger sends to email addresses, other messengers to phone numbers"
        )
        return ExitStatus.refused
      }
      return hand(to: line.messenger, recipient, at: clock.now())
    } catch {
      for (what, hint) in error.complaints { complain(what, hint: hint) }
      return ExitStatus.failed
    }
  }

  private static func hand(
    to messenger: any TextMessenger, _ recipient: Recipient, at now: Instant
  ) -> Int32 {
    let message = TextMessage(
      id: Base64URL.encode(SystemRandomness().bytes(16)), to: recipient, kind: .notice,
      text: Secret(text), createdAt: now, expiresAt: now.adding(seconds: 300)
    )
    let status = Mutex<Int32>(ExitStatus.failed)
    BlockingCall.run {
      do throws(TextMessengerFault) {
        let charge = try await messenger.send(message)
        let called = charge.reference.map { ", with the provider's id \($0)" } ?? ""
        LineWriter.standardOutput.write("\(messenger.name) accepted the message\(called)")
        status.withLock { $0 = ExitStatus.done }
      } catch {
        let (what, hint, code) = words(for: error)
        complain("\(messenger.name) did not accept the message: \(what)", hint: hint)
        status.withLock { $0 = code }
      }
    }
    return status.withLock { $0 }
  }

  private static func words(
    for fault: TextMessengerFault
  ) -> (what: String, hint: String, code: Int32) {
    switch fault {
    case .retry(let seconds, let why):
      (
        "\(why); it may accept it after \(seconds) seconds", "check its address, and try again",
        ExitStatus.failed
      )
    case .unclear(let why):
      (why, "check at the provider whether the message was sent", ExitStatus.failed)
    case .otherProvider(let why):
      (why, "check its credentials, and what your account there may send", ExitStatus.refused)
    case .never(let why): (why, "check the number", ExitStatus.refused)
    }
  }
}
