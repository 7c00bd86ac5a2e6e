import Cryptography
import Glibc
import SignInModel
import SignInService
import Synchronization
import TextMessengers
import Threads

/// `fieldpass messages`: tries one messenger by hand, and tells what messages came to.
enum MessagesCommand {
  struct Options {
    var config = ""
    var to = ""
    var via = ""
    var isDevelopment = false
    /// What to report; nil to send.
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
    fieldpass messages send    hand one test message to a messenger, to see whether it takes it

      --config FILE           the configuration
      --to NUMBER             the number, such as +4790000001, or an e-mail address
      --via NAME              the messenger's name
      --development           read the configuration as `serve --development` does
    """

  static let text = "This is a test message from Fieldpass. Nobody needs to answer it."

  /// Answers the exit status: 2 when the messenger refused.
  static func run(_ options: Options) -> Int32 {
    if let costs = options.costs { return reportCosts(costs) }
    do throws(StartFault) {
      let recipient: Recipient
      do throws(Malformed) { recipient = try Recipient(parsing: options.to) } catch {
        complain(
          "`\(options.to)` is no phone number and no e-mail address",
          hint: "write it as +4790000001 or name@example.com"
        )
        return ExitStatus.misused
      }
      let clock = MachineClock()
      let configuration = try Setting.read(options.config, isDevelopment: options.isDevelopment)
      let inbox = options.isDevelopment ? InboxMessenger(clock: clock) : nil
      let board = try MessengerDesk.switchboard(
        configuration, inbox: inbox, clock: clock, reports: ReportBox()
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
          "`\(options.to)` is a number of the demo, and \(options.via) is on another machine",
          hint: "use a number of your own"
        )
        return ExitStatus.refused
      }
      guard line.messenger.carries(recipient) else {
        complain(
          "\(options.via) does not carry messages to `\(options.to)`",
          hint: "an smtp messenger takes an e-mail address, every other a phone number"
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
    Blocking.run {
      do throws(TextMessengerFault) {
        let charge = try await messenger.send(message)
        let called = charge.reference.map { ", which calls it \($0)" } ?? ""
        LineWriter.standardOutput.write("\(messenger.name) took charge of it\(called)")
        status.withLock { $0 = ExitStatus.done }
      } catch {
        let (what, hint, code) = words(for: error)
        complain("\(messenger.name) did not take it: \(what)", hint: hint)
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
        "\(why); it may take it after \(seconds) seconds", "check its address, and try again",
        ExitStatus.failed
      )
    case .unclear(let why):
      (why, "look at the provider whether the message was sent", ExitStatus.failed)
    case .otherProvider(let why):
      (why, "check its credentials, and what your account there may send", ExitStatus.refused)
    case .never(let why): (why, "check the number", ExitStatus.refused)
    }
  }
}
