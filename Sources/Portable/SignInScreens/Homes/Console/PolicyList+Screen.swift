import JSONText
import SignInEngine
import SignInFlow
import SignInModel
import SignInWire

extension PolicyList {
  func parts(_ localizer: Localizer) -> [Part] {
    if let page {
      return page.parts(localizer, apps: clients.value ?? [], mayChange: mayChangePage)
    }
    return clients.parts(localizer, ConsoleHome.words) { cards in
      let lead = seesApps ? ConsoleSentence.policiesLead : .policiesLocalLead
      var parts: [Part] = [
        .text(id: "policies-lead", text: Phrase(localizer.say(lead)), tone: .muted)
      ]
      if seesApps { parts.append(localizer.table(cards)) }
      if let organizations = organizations.value, !organizations.isEmpty {
        parts.append(localizer.table(organizations))
      }
      return parts
    }
  }

  func statusBar(_ localizer: Localizer) -> StatusBar? {
    if let page { return page.sheet.statusBar(localizer, ConsoleHome.words) }
    return clients.statusBar(localizer, ConsoleHome.words)
  }

  /// The question that confirms a weaker policy value.
  func question(_ localizer: Localizer) -> Part? {
    guard let editor = page?.editor, let asking = editor.asking else { return nil }
    let isBusy = editor.working != nil
    let (old, new) =
      switch asking {
      case .write(let json): (editor.current, json)
      case .restore: (editor.value.value, editor.value.configured)
      }
    let key = editor.value.key
    var confirm = localizer.button(.confirm, isBusy ? .savingValue : .weaken, .dangerous)
    confirm.isBusy = isBusy
    var cancel = localizer.button(.cancel, .cancel, .quiet)
    cancel.isEnabled = !isBusy
    let text = localizer.say(
      .weakenText,
      [
        (name: "rule", value: localizer.name(of: key)),
        (name: "old", value: localizer.words(old, of: key)),
        (name: "new", value: localizer.words(new, of: key)),
      ]
    )
    return .sheet(
      id: PagePart.question.rawValue, title: localizer.say(.weakenTitle), text: Phrase(text),
      buttons: [confirm, cancel]
    )
  }
}

extension PolicyPage {
  func parts(_ localizer: Localizer, apps: [PolicyCard], mayChange: Bool) -> [Part] {
    let name = sheet.value.map { $0.organization?.name ?? $0.clientName }
    let lead: ConsoleSentence =
      !mayChange ? .policyReadOnly : organization == nil ? .policyForAll : .policyForOrganization
    var parts: [Part] = [
      .actions(id: "close-policy", [localizer.backButton]),
      .subject(
        id: PagePart.policy.rawValue, text: name ?? organization?.text ?? client.text,
        badge: nil
      ),
      .text(id: "policy-lead", text: Phrase(localizer.say(lead)), tone: .muted),
    ]
    if organization != nil {
      var choices: [Choice] = []
      for app in apps { choices.append(Choice(value: app.id.text, name: app.name)) }
      var field = Field(
        id: FieldName.policyApp.rawValue, kind: .choice(choices), label: localizer.say(.app),
        value: client.text, autofill: "off"
      )
      field.isEnabled = editor?.working == nil
      parts.append(.fields(id: "policy-app-place", [field]))
    }
    return parts
      + sheet.parts(localizer, ConsoleHome.words) { sheet in
        [
          .split(
            id: "policy-split", list: list(sheet, localizer),
            opened: editor?.parts(localizer, mayChange: mayChange) ?? []
          )
        ]
      }
  }

  /// The filter and the values that it allows.
  private func list(_ sheet: PolicySheet, _ localizer: Localizer) -> [Part] {
    let values = localizer.values(sheet.values, filter)
    var parts = localizer.parts(of: filter, isOrganization: organization != nil)
    if values.isEmpty { return parts + localizer.nothing(filter) }
    if !filter.isEmpty {
      parts.append(
        .note(id: "found", text: localizer.found(values.count, of: sheet.values.count)))
    }
    return parts + tables(values, localizer)
  }

  private func tables(_ values: [PolicyValue], _ localizer: Localizer) -> [Part] {
    let opened = editor?.value.key
    var columns = [localizer.say(.rule), localizer.say(.inForce), localizer.say(.source)]
    if opened == nil { columns.append(localizer.say(.allowed)) }
    var tables: [Part] = []
    for group in PolicyField.Group.allCases {
      var rows: [TableRow] = []
      for value in values where value.key.field.group == group {
        rows.append(localizer.row(value, opened: opened))
      }
      guard !rows.isEmpty else { continue }
      tables.append(
        .table(
          Table(
            id: "policy-" + group.rawValue, label: localizer.title(of: group),
            columns: columns, rows: rows, showsLabel: true
          )))
    }
    return tables
  }
}

extension PolicyEditor {
  func parts(_ localizer: Localizer, mayChange: Bool) -> [Part] {
    let isBusy = working != nil
    var close = localizer.button(.back, .closeValue, .quiet)
    // The page has its own Back button, so this one needs an item.
    close.item = "value"
    close.isEnabled = !isBusy
    var parts: [Part] = [.actions(id: "close-value", [close])]
    if let notice { parts.append(.banner(localizer.banner(notice))) }
    parts += [
      facts(localizer),
      .text(
        id: "explanation", text: Phrase(localizer.explanation(of: value.key)), tone: .muted),
    ]
    guard mayChange else { return parts }
    if let unit {
      parts.append(.fields(id: "policy-time", [field(localizer), unitField(localizer, unit)]))
    } else {
      parts.append(.field(field(localizer)))
    }
    var save = localizer.button(.saveValue, isBusy ? .savingValue : .saveValue, .primary)
    save.isBusy = isBusy && asking == nil
    parts.append(.button(save))
    if value.isChanged {
      var restore = localizer.button(.restoreValue, .restoreValue, .secondary)
      restore.isEnabled = !isBusy
      parts.append(.button(restore))
    }
    return parts
  }

  private func facts(_ localizer: Localizer) -> Part {
    func detail(_ label: ConsoleSentence, _ text: String) -> Detail {
      Detail(label: localizer.say(label), text: Phrase(text))
    }
    let key = value.key
    var details = [detail(.inForce, localizer.words(value.value, of: key))]
    if value.own != .null, value.own != value.value {
      details.append(detail(.organizationsOwn, localizer.words(value.own, of: key)))
    }
    if value.isChanged {
      details.append(detail(.configuredValue, localizer.words(value.configured, of: key)))
    }
    details += [
      detail(.allowed, localizer.allowed(value)), detail(.valueKey, key.rawValue),
    ]
    return .details(
      id: PagePart.editor.rawValue, title: localizer.name(of: key),
      badges: [localizer.badge(of: value)], details
    )
  }

  private func field(_ localizer: Localizer) -> Field {
    let kind: Field.Kind
    switch value.form {
    case .number: kind = value.key.field.unit == .millionths ? .text : .number
    case .callingCodes: kind = .text
    case .message: kind = .lines
    case .choice(let words):
      var choices: [Choice] = []
      for word in words {
        choices.append(Choice(value: word, name: localizer.words(.string(word), of: value.key)))
      }
      kind = .choice(choices)
    }
    var field = Field(
      id: FieldName.policyValue.rawValue, kind: kind,
      label: localizer.say(.newValue), value: text, autofill: "off"
    )
    field.isEnabled = working == nil
    field.error = fault.map { localizer.refused($0) }
    if value.source == .client, value.own != .null { field.help = localizer.say(.looserOwn) }
    return field
  }

  private func unitField(_ localizer: Localizer, _ unit: TimeUnit) -> Field {
    var choices: [Choice] = []
    for unit in TimeUnit.allCases {
      choices.append(Choice(value: unit.rawValue, name: localizer.name(of: unit)))
    }
    var field = Field(
      id: FieldName.policyUnit.rawValue, kind: .choice(choices), label: localizer.say(.unit),
      value: unit.rawValue, autofill: "off"
    )
    field.isEnabled = working == nil
    return field
  }
}

// MARK: - Filter

extension Localizer {
  /// The values that the filter allows.
  func values(_ values: [PolicyValue], _ filter: PolicyFilter) -> [PolicyValue] {
    values.filter { filter.allows($0, [name(of: $0.key), explanation(of: $0.key)]) }
  }

  func found(_ count: Int, of total: Int) -> String {
    say(
      .valuesFound,
      [
        (name: "count", value: format.number(Int64(count))),
        (name: "total", value: format.number(Int64(total))),
      ])
  }

  fileprivate func parts(of filter: PolicyFilter, isOrganization: Bool) -> [Part] {
    [
      .fields(
        id: "filters",
        [
          Field(
            id: FieldName.search.rawValue, kind: .search, label: say(.searchValues),
            value: filter.text, autofill: "off")
        ]),
      .checks(
        Checks(
          id: "policy-filter", label: say(.show), button: ButtonName.toggleDiffering.rawValue,
          checks: [
            Checks.Check(
              item: "differing", label: say(.onlyDiffering), isOn: filter.isOnlyDiffering)
          ], help: say(isOrganization ? .ownValuesOnly : .changedValuesOnly))),
    ]
  }

  /// Why no value is shown, and the button that shows more.
  fileprivate func nothing(_ filter: PolicyFilter) -> [Part] {
    let isSearched = !filter.text.isEmpty
    let sentence: ConsoleSentence =
      !isSearched ? .nothingDiffers : filter.isOnlyDiffering ? .noDifferingWith : .noValueWith
    let title = say(sentence, [(name: "text", value: filter.text)])
    return [
      .empty(
        id: "none", symbol: .lock, title: title,
        text: say(isSearched ? .noValueAdvice : .nothingDiffersAdvice)),
      .button(button(.clearSearch, isSearched ? .clearSearch : .showAllValues, .secondary)),
    ]
  }
}
