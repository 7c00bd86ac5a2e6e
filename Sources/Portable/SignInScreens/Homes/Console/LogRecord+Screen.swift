import SignInEngine
import SignInFlow
import SignInModel
import SignInWire

/// One event or one message, opened beside its list.
extension Localizer {
  func detail(_ label: String, _ text: String?) -> Detail? {
    text.map { Detail(label: label, text: Phrase($0)) }
  }

  func detail(_ label: String, _ moment: Instant?) -> Detail? {
    moment.map { Detail(label: label, text: stamp($0)) }
  }

  func parts(of event: EventEntry, _ names: KnownNames) -> [Part] {
    let account = names.account(event.account)
    let administrator = names.account(event.administrator)
    let details = [
      detail(say(.when), event.at), detail(say(.account), account?.name ?? event.account?.text),
      detail(say(.app), event.client.map { names.app($0) }),
      detail(say(.rule), changedRules(event, names)),
      detail(label(.reason), event.deactivationReason),
      detail(say(.fromWhere), event.peer),
      detail(say(.detail), event.code + (event.detail.map { " " + $0 } ?? "")),
    ]
    var links: [Button] = []
    for known in [account, administrator] {
      guard let known, !links.contains(where: { $0.item == known.id.text }) else { continue }
      links.append(link(to: known))
    }
    return record(
      sentence(event, by: administrator?.name, times: event.count), [], details, links)
  }

  /// The app or the organization of a changed policy, and the names of the changed values.
  ///
  /// A value of another version of the server is shown by its key.
  private func changedRules(_ event: EventEntry, _ names: KnownNames) -> String? {
    guard let (isOfApp, subject, keys) = event.policyChange, !keys.isEmpty else { return nil }
    var text = isOfApp ? names.app(ClientID(subject)) : subject
    for (position, key) in keys.enumerated() {
      text += position == 0 ? ": " : ", "
      text += PolicyKey(rawValue: key).map { name(of: $0) } ?? key
    }
    return text
  }

  func parts(of message: MessageEntry, _ names: KnownNames) -> [Part] {
    let title = Template.fill(
      tell(message.isCode ? .codeTo : .noticeTo), [(name: "to", value: message.to)])
    let details = [
      detail(say(.when), message.createdAt),
      detail(say(.app), message.client.map { names.app(ClientID($0)) }),
      detail(say(.organization), message.organization),
      detail(tell(.messenger), message.messenger),
      detail(say(.tries), format.number(message.tries)),
      detail(tell(.acceptedAt), message.handedOverAt),
      detail(say(.endsAt), message.expiresAt),
    ]
    return record(title, [outcome(message.outcome)], details, [])
  }

  func link(to account: AccountEntry) -> Button {
    var button = button(.openAccount, .account, .secondary)
    button.label = Template.fill(tell(.openAccount), [(name: "name", value: account.name)])
    button.item = account.id.text
    return button
  }

  func record(
    _ title: String, _ badges: [Badge], _ details: [Detail?], _ links: [Button]
  ) -> [Part] {
    var parts: [Part] = [
      .actions(id: "close", [backButton]),
      .details(
        id: PagePart.record.rawValue, title: title, badges: badges, details.compactMap { $0 }),
    ]
    if !links.isEmpty { parts.append(.actions(id: "links", links)) }
    return parts
  }
}
