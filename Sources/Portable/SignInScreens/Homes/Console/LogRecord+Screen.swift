import JSONText
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
    var details = [
      detail(say(.when), event.at), detail(say(.account), account?.name ?? event.account?.text),
      detail(say(.app), event.client.map { names.app($0) }),
    ]
    details += changedValues(event, names)
    details += [
      detail(label(.reason), event.deactivationReason),
      detail(say(.fromWhere), event.peer),
      detail(say(.detail), event.codeAndDetail),
    ]
    var links: [Button] = []
    for known in [account, administrator] {
      guard let known, !links.contains(where: { $0.item == known.id.text }) else { continue }
      links.append(link(to: known))
    }
    return record(
      sentence(event, by: administrator?.name, times: event.count), [], details, links)
  }

  /// The app or the organization of a changed policy, and each changed value.
  ///
  /// A value that the server did not know has only its name. One of another version of the server
  /// is shown by its key.
  private func changedValues(_ event: EventEntry, _ names: KnownNames) -> [Detail?] {
    guard let (isOfApp, subject, changes) = event.policyChange, !changes.isEmpty else {
      return []
    }
    var details = [detail(tell(.policy), isOfApp ? names.app(ClientID(subject)) : subject)]
    var named = ""
    for change in changes {
      let key = PolicyKey(rawValue: change.key)
      let name = key.map { self.name(of: $0) } ?? change.key
      guard let values = change.values else {
        named += (named.isEmpty ? "" : ", ") + name
        continue
      }
      let old = words(values.old, of: key, isOfApp: isOfApp)
      details.append(detail(name, old + " → " + words(values.new, of: key, isOfApp: isOfApp)))
    }
    details.append(detail(say(.rule), named.isEmpty ? nil : named))
    return details
  }

  /// A value in words; one with an unknown key as it is.
  private func words(_ json: JSON, of key: PolicyKey?, isOfApp: Bool) -> String {
    if json == .null, !isOfApp { return say(.noOwnValues) }
    if let key { return words(json, of: key) }
    return String(decoding: json.utf8, as: UTF8.self)
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
