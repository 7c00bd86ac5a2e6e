import HTTPClient
import SignInModel
import SignInService
import SystemPorts
import TextMessengers

/// Creates the messengers of a configuration.
///
/// It reads their secrets and reports the mistakes of all of them in one fault.
enum MessengerFactory {
  static func router(
    _ configuration: Configuration, inbox: InboxMessenger?, clock: any Clock,
    reports: DeliveryReportQueue
  ) throws(StartFault) -> MessengerRouter {
    let calls = OutboundCalls()
    var lines: [MessengerRouter.Entry] = []
    var hasInbox = false
    let undeliverableNumbers = Demo.undeliverableNumbers(isDevelopment: inbox != nil)
    var complaints: [(what: String, hint: String)] = []
    for messenger in configuration.messengers {
      do throws(StartFault) {
        if messenger.kind == Configuration.Messenger.inbox, let inbox {
          lines.append(MessengerRouter.Entry(inbox, countries: messenger.countries))
          hasInbox = true
          continue
        }
        let order = MessengerSetup(
          messenger, secret: try secret(of: messenger), issuer: configuration.issuer, calls: calls,
          clock: clock, report: { reports.add($0, of: messenger.name) }
        )
        let made = try make(order)
        lines.append(
          MessengerRouter.Entry(
            made, countries: messenger.countries,
            numbers: messenger.isOnThisMachine ? .all : .allBut(undeliverableNumbers)
          ))
      } catch {
        complaints += error.complaints
      }
    }
    if !complaints.isEmpty { throw StartFault(complaints) }
    if !hasInbox, let inbox {
      lines += inboxLine(inbox, besides: configuration.messengers, undeliverableNumbers)
    }
    // The inbox stores each message once, so it can be a messenger and get the copies as well.
    return MessengerRouter(lines, copies: inbox.map { [$0] } ?? [])
  }

  /// The inbox gets all messages if no other messenger can send text messages.
  ///
  /// Otherwise it gets the messages to demo numbers that a messenger on another machine would send.
  private static func inboxLine(
    _ inbox: InboxMessenger, besides messengers: [Configuration.Messenger],
    _ undeliverableNumbers: [String]
  ) -> [MessengerRouter.Entry] {
    let carriers = messengers.filter { $0.kind != Configuration.Messenger.mail }
    if carriers.isEmpty { return [MessengerRouter.Entry(inbox)] }
    let elsewhere = carriers.filter { !$0.isOnThisMachine }
    if elsewhere.isEmpty { return [] }
    let carriesAll = elsewhere.contains { $0.countries.isEmpty }
    let countries = carriesAll ? [] : elsewhere.flatMap(\.countries)
    return [
      MessengerRouter.Entry(inbox, countries: countries, numbers: .only(undeliverableNumbers))
    ]
  }

  /// Reports all mistakes in the messengers and their secrets without connecting to a provider.
  ///
  /// Pass `false` for `areUsable` if the configuration of the messengers has mistakes. Then only
  /// the secrets are checked.
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
        let order = MessengerSetup(
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

  private static func make(_ order: MessengerSetup) throws(StartFault) -> any TextMessenger {
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
