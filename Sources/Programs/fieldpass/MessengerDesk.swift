import HTTPClient
import SignInModel
import SignInService
import TextMessengers

/// Makes the messengers a configuration names: reads their secrets and says at once everything
/// that is wrong with any of them.
enum MessengerDesk {
  static func switchboard(
    _ configuration: Configuration, inbox: InboxMessenger?, clock: any Clock,
    reports: ReportBox
  ) throws(StartFault) -> Switchboard {
    let calls = OutboundCalls()
    var lines: [Switchboard.Line] = []
    var hasInbox = false
    let keptNumbers = Demo.keptNumbers(isDevelopment: inbox != nil)
    var complaints: [(what: String, hint: String)] = []
    for messenger in configuration.messengers {
      do throws(StartFault) {
        if messenger.kind == Configuration.Messenger.inbox, let inbox {
          lines.append(Switchboard.Line(inbox, countries: messenger.countries))
          hasInbox = true
          continue
        }
        let order = MessengerOrder(
          messenger, secret: try secret(of: messenger), issuer: configuration.issuer, calls: calls,
          clock: clock, report: { reports.add($0, of: messenger.name) }
        )
        let made = try make(order)
        lines.append(
          Switchboard.Line(
            made, countries: messenger.countries,
            numbers: messenger.isOnThisMachine ? .all : .allBut(keptNumbers)
          ))
      } catch {
        complaints += error.complaints
      }
    }
    if !complaints.isEmpty { throw StartFault(complaints) }
    if !hasInbox, let inbox {
      lines += inboxLine(inbox, besides: configuration.messengers, keptNumbers)
    }
    // The inbox takes one message once: it may be a messenger and hold the copies as well.
    return Switchboard(lines, copies: inbox.map { [$0] } ?? [])
  }

  /// Without a messenger for text messages the inbox takes every message.
  ///
  /// Otherwise it takes those to demo numbers that a messenger on another machine would carry.
  private static func inboxLine(
    _ inbox: InboxMessenger, besides messengers: [Configuration.Messenger], _ keptNumbers: [String]
  ) -> [Switchboard.Line] {
    let carriers = messengers.filter { $0.kind != Configuration.Messenger.mail }
    if carriers.isEmpty { return [Switchboard.Line(inbox)] }
    let elsewhere = carriers.filter { !$0.isOnThisMachine }
    if elsewhere.isEmpty { return [] }
    let carriesAll = elsewhere.contains { $0.countries.isEmpty }
    let countries = carriesAll ? [] : elsewhere.flatMap(\.countries)
    return [Switchboard.Line(inbox, countries: countries, numbers: .only(keptNumbers))]
  }

  /// Tells every mistake in the messengers and their secrets, and connects to nothing.
  ///
  /// Where the configuration has mistakes in them, only the secrets are checked.
  static func check(
    _ configuration: Configuration, hasInbox: Bool, areUsable: Bool
  ) throws(StartFault) {
    let calls = OutboundCalls()
    var complaints: [(what: String, hint: String)] = []
    for messenger in configuration.messengers {
      if messenger.kind == Configuration.Messenger.inbox, hasInbox || !areUsable { continue }
      do throws(StartFault) {
        let secret = try secret(of: messenger)
        guard areUsable else { continue }
        let order = MessengerOrder(
          messenger, secret: secret, issuer: configuration.issuer, calls: calls,
          clock: MachineClock(), report: { _ in }
        )
        do throws(MessengerMistake) { try MessengerKinds.check(order) } catch {
          throw StartFault(error, of: messenger.name)
        }
      } catch {
        complaints += error.complaints
      }
    }
    if !complaints.isEmpty { throw StartFault(complaints) }
  }

  private static func make(_ order: MessengerOrder) throws(StartFault) -> any TextMessenger {
    do throws(MessengerMistake) {
      if let made = try MessengerKinds.make(order) { return made }
    } catch {
      throw StartFault(error, of: order.name)
    }
    throw StartFault(
      "messenger `\(order.name)`: this version cannot use the kind `\(order.kind)`",
      hint: "choose another kind"
    )
  }

  private static func secret(
    of messenger: Configuration.Messenger
  ) throws(StartFault) -> Secret? {
    try messenger.secret?.read(for: "messenger `\(messenger.name)`")
  }
}

extension StartFault {
  fileprivate init(_ mistake: MessengerMistake, of name: String) {
    self.init("messenger `\(name)`: `\(mistake.key)` \(mistake.problem)", hint: mistake.remedy)
  }
}

/// Takes the reports of messengers that hear of their messages by themselves, until somebody
/// writes them down.
final class ReportBox: Sendable {
  typealias Entry = (report: DeliveryReport, messenger: String)

  let entries: AsyncStream<Entry>
  private let continuation: AsyncStream<Entry>.Continuation

  init() {
    (entries, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(10_000))
  }

  func add(_ report: DeliveryReport, of messenger: String) {
    continuation.yield((report, messenger))
  }
}
