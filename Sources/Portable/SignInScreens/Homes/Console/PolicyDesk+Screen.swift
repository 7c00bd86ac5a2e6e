import JSONText
import SignInFlow
import SignInModel
import SignInWire

extension PolicyDesk {
  func parts(_ speaker: Speaker) -> [Part] {
    if let page {
      return page.parts(speaker, apps: clients.value ?? [], mayChange: mayChangePage)
    }
    return clients.parts(speaker, ConsoleHome.words) { cards in
      let lead = seesApps ? ConsoleSentence.policiesLead : .policiesLocalLead
      var parts: [Part] = [
        .text(id: "policies-lead", text: Phrase(speaker.say(lead)), tone: .muted)
      ]
      if seesApps { parts.append(speaker.table(cards)) }
      if let organizations = organizations.value, !organizations.isEmpty {
        parts.append(speaker.table(organizations))
      }
      return parts
    }
  }

  func statusBar(_ speaker: Speaker) -> StatusBar? {
    if let page { return page.sheet.statusBar(speaker, ConsoleHome.words) }
    return clients.statusBar(speaker, ConsoleHome.words)
  }

  /// Asks whether the person means to make a rule weaker.
  func question(_ speaker: Speaker) -> Part? {
    guard let editor = page?.editor, let asking = editor.asking else { return nil }
    let isBusy = editor.working != nil
    let (old, new) =
      switch asking {
      case .write(let json): (editor.current, json)
      case .restore: (editor.value.value, editor.value.configured)
      }
    let key = editor.value.key
    var confirm = speaker.button(.confirm, isBusy ? .savingValue : .weaken, .dangerous)
    confirm.isBusy = isBusy
    var cancel = speaker.button(.cancel, .cancel, .quiet)
    cancel.isEnabled = !isBusy
    let text = speaker.say(
      .weakenText,
      [
        (name: "rule", value: speaker.name(of: key)),
        (name: "old", value: speaker.words(old, of: key)),
        (name: "new", value: speaker.words(new, of: key)),
      ]
    )
    return .sheet(
      id: FocusTarget.question.rawValue, title: speaker.say(.weakenTitle), text: Phrase(text),
      buttons: [confirm, cancel]
    )
  }
}

extension PolicyPage {
  func parts(_ speaker: Speaker, apps: [PolicyCard], mayChange: Bool) -> [Part] {
    let name = sheet.value.map { $0.organization?.name ?? $0.clientName }
    let lead: ConsoleSentence =
      !mayChange ? .policyReadOnly : organization == nil ? .policyForAll : .policyForOrganization
    var parts: [Part] = [
      .actions(id: "close-policy", [speaker.backButton]),
      .subject(
        id: FocusTarget.policy.rawValue, text: name ?? organization?.text ?? client.text,
        badge: nil
      ),
      .text(id: "policy-lead", text: Phrase(speaker.say(lead)), tone: .muted),
    ]
    if organization != nil {
      var choices: [Choice] = []
      for app in apps { choices.append(Choice(value: app.id.text, name: app.name)) }
      var field = Field(
        id: FieldName.policyApp.rawValue, kind: .choice(choices), label: speaker.say(.app),
        value: client.text, autofill: "off"
      )
      field.isEnabled = editor?.working == nil
      parts.append(.fields(id: "policy-app-place", [field]))
    }
    return parts
      + sheet.parts(speaker, ConsoleHome.words) { sheet in
        [
          .split(
            id: "policy-split", list: tables(sheet, speaker),
            opened: editor?.parts(speaker, mayChange: mayChange) ?? []
          )
        ]
      }
  }

  private func tables(_ sheet: PolicySheet, _ speaker: Speaker) -> [Part] {
    var tables: [Part] = []
    for group in PolicyGroup.allCases {
      var rows: [TableRow] = []
      for value in sheet.values where PolicyGroup(value.key) == group {
        rows.append(
          speaker.row(value, isOpened: editor?.value.key == value.key)
        )
      }
      guard !rows.isEmpty else { continue }
      tables.append(
        .table(
          Table(
            id: "policy-" + group.rawValue, label: speaker.title(of: group),
            columns: [
              speaker.say(.rule), speaker.say(.inForce), speaker.say(.source),
              speaker.say(.allowed),
            ],
            rows: rows, showsLabel: true
          )))
    }
    return tables
  }
}

extension PolicyEditor {
  func parts(_ speaker: Speaker, mayChange: Bool) -> [Part] {
    let isBusy = working != nil
    var close = speaker.button(.back, .closeValue, .quiet)
    // The page has a way back of its own.
    close.item = "value"
    close.isEnabled = !isBusy
    var parts: [Part] = [.actions(id: "close-value", [close])]
    if let notice { parts.append(.banner(speaker.banner(notice))) }
    parts.append(facts(speaker))
    guard mayChange else { return parts }
    parts.append(.field(field(speaker)))
    var save = speaker.button(.saveValue, isBusy ? .savingValue : .saveValue, .primary)
    save.isBusy = isBusy && asking == nil
    parts.append(.button(save))
    if value.isChanged {
      var restore = speaker.button(.restoreValue, .restoreValue, .secondary)
      restore.isEnabled = !isBusy
      parts.append(.button(restore))
    }
    return parts
  }

  private func facts(_ speaker: Speaker) -> Part {
    func detail(_ label: ConsoleSentence, _ text: String) -> Detail {
      Detail(label: speaker.say(label), text: Phrase(text))
    }
    let key = value.key
    var details = [detail(.inForce, speaker.words(value.value, of: key))]
    if value.own != .null, value.own != value.value {
      details.append(detail(.organizationsOwn, speaker.words(value.own, of: key)))
    }
    if value.isChanged {
      details.append(detail(.configuredValue, speaker.words(value.configured, of: key)))
    }
    details.append(detail(.allowed, speaker.allowed(value)))
    return .details(
      id: FocusTarget.editor.rawValue, title: speaker.name(of: key),
      badges: [speaker.badge(of: value)], details
    )
  }

  private func field(_ speaker: Speaker) -> Field {
    let kind: Field.Kind
    switch value.form {
    case .number: kind = .number
    case .callingCodes: kind = .text
    case .message: kind = .lines
    case .choice(let words):
      var choices: [Choice] = []
      for word in words {
        choices.append(Choice(value: word, name: speaker.words(.string(word), of: value.key)))
      }
      kind = .choice(choices)
    }
    var field = Field(
      id: FieldName.policyValue.rawValue, kind: kind,
      label: speaker.say(value.key.isTime ? .newSeconds : .newValue), value: text, autofill: "off"
    )
    field.isEnabled = working == nil
    field.error = fault.map { speaker.refused($0) }
    field.help = help(speaker)
    return field
  }

  private func help(_ speaker: Speaker) -> String? {
    if value.source == .client, value.own != .null { return speaker.say(.looserOwn) }
    guard value.key.isTime, let typed = typedNumber else { return nil }
    return speaker.say(.thatIs, [(name: "time", value: speaker.duration(typed))])
  }
}
