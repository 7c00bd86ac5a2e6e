import SignInFlow
import SignInModel
import SignInWire

extension AccountEditor {
  func parts(_ speaker: Speaker, _ organizations: Fetched<[OrganizationCard]>) -> [Part] {
    var close = speaker.backButton
    close.isEnabled = waiting == nil
    var parts: [Part] = [.actions(id: "close", [close])]
    if let notice { parts.append(.banner(speaker.banner(notice))) }
    parts.append(
      .subject(
        id: FocusTarget.account.rawValue,
        text: speaker.say(.editTitle, [(name: "name", value: entry.name)]), badge: nil))
    if let lead {
      parts.append(.text(id: "edit-lead", text: Phrase(speaker.say(lead)), tone: .muted))
    }
    if extent != .organizations { parts.append(.field(nameField(speaker))) }
    if extent == .everything {
      parts += [
        .field(emailField(speaker)), .field(phoneField(speaker)), .field(roleField(speaker)),
      ]
    }
    if extent != .name { parts += checks(speaker, organizations) }
    var save = speaker.button(
      .saveAccount, waiting == nil ? .saveValue : .savingValue, .primary)
    save.isBusy = waiting != nil
    parts.append(.button(save))
    return parts
  }

  private var lead: ConsoleSentence? {
    switch extent {
    case .everything: nil
    case .name: .editOwnLead
    case .organizations: .takeOutLead
    }
  }

  private func field(
    _ name: FieldName, _ kind: Field.Kind, _ label: String, _ value: String, _ speaker: Speaker
  ) -> Field {
    var field = Field(id: name.rawValue, kind: kind, label: label, value: value, autofill: "off")
    field.error = fault(at: name).map { speaker.refused($0) }
    field.isEnabled = waiting == nil
    return field
  }

  private func nameField(_ speaker: Speaker) -> Field {
    field(.name, .text, speaker.say(.name), name, speaker)
  }

  private func emailField(_ speaker: Speaker) -> Field {
    field(.email, .email, speaker.say(.email), email, speaker)
  }

  private func phoneField(_ speaker: Speaker) -> Field {
    var field = field(.phone, .text, speaker.say(.mobileNumber), phone, speaker)
    if isPhoneNew { field.help = speaker.say(.newPhoneHelp) }
    return field
  }

  private func roleField(_ speaker: Speaker) -> Field {
    var choices: [Choice] = []
    for role in Self.roles { choices.append(Choice(value: role, name: speaker.role(role))) }
    var field = field(.role, .choice(choices), speaker.say(.role), role, speaker)
    if isRoleNew {
      let administrator = "administrator"
      field.help = speaker.say(
        role == administrator
          ? .newAdministratorHelp
          : entry.role == administrator ? .formerAdministratorHelp : .newRoleHelp)
    }
    return field
  }

  private func checks(
    _ speaker: Speaker, _ known: Fetched<[OrganizationCard]>
  ) -> [Part] {
    guard let known = known.value else { return speaker.organizationsUnknown(known) }
    var checks: [Checks.Check] = []
    for card in known {
      checks.append(
        Checks.Check(
          item: card.id.text, label: card.name, isOn: organizations.contains(card.id),
          isEnabled: waiting == nil && mayToggle(card.id)))
    }
    // Those that one may not see are named by their identifiers, as the account shows them.
    for id in entry.organizations where !known.contains(where: { $0.id == id }) {
      checks.append(Checks.Check(item: id.text, label: id.text, isOn: true, isEnabled: false))
    }
    return speaker.organizations(checks, fault(at: .organizations).map { speaker.refused($0) })
  }
}

extension TechnicianCreation {
  func checks(_ speaker: Speaker, _ known: Fetched<[OrganizationCard]>) -> [Part] {
    guard let known = known.value else { return speaker.organizationsUnknown(known) }
    var checks: [Checks.Check] = []
    for card in known where mayToggle(card.id) {
      checks.append(
        Checks.Check(
          item: card.id.text, label: card.name, isOn: organizations.contains(card.id),
          isEnabled: waiting == nil))
    }
    let error = faults.contains(.organizations) ? speaker.say(.organizationNeeded) : nil
    return speaker.organizations(checks, error)
  }
}

extension Speaker {
  /// Nothing where the configuration has no organizations.
  func organizations(_ checks: [Checks.Check], _ error: String?) -> [Part] {
    guard !checks.isEmpty else { return [] }
    return [
      .checks(
        Checks(
          id: FieldName.organizations.rawValue, label: say(.organizations),
          button: ButtonName.toggleOrganization.rawValue, checks: checks, error: error))
    ]
  }

  func organizationsUnknown(_ known: Fetched<[OrganizationCard]>) -> [Part] {
    guard let problem = known.problem else {
      return [.progress(id: "organizations-loading", label: say(.loadingList))]
    }
    return [.note(id: "organizations-problem", text: notice(problem), severity: .warning)]
  }

  func refused(_ fault: AccountEditor.Fault) -> String {
    switch fault {
    case .nameNeeded: say(.nameNeeded)
    case .emailMalformed: say(.emailMalformed)
    case .emailNeeded: say(.emailNeeded)
    case .emailTaken: say(.emailTaken)
    case .phoneMalformed: say(.internationalNeeded)
    case .phoneTaken: say(.phoneTaken)
    case .organizationNeeded: say(.organizationNeeded)
    }
  }

  /// That the account was changed, and what happens next.
  func edited(_ consequences: [AccountEditor.Consequence]) -> String {
    var text = say(.accountSaved)
    for consequence in consequences {
      switch consequence {
      case .newPhone: text += " " + say(.newPhoneNext)
      case .newEmail: text += " " + say(.newEmailNext)
      case .newRole: if !consequences.contains(.newPhone) { text += " " + say(.newRoleNext) }
      case .lostOrganization: text += " " + say(.lostOrganizationNext)
      }
    }
    return text
  }

  /// Each permission of an administrator, in words.
  func permissions(_ entries: [PermissionEntry]) -> String {
    var text = ""
    for entry in entries {
      let level = (name: "level", value: level(entry.level))
      let words =
        entry.organization.map {
          say(.levelInOrganization, [level, (name: "organization", value: $0.text)])
        } ?? say(.levelEverywhere, [level])
      text += (text.isEmpty ? "" : ", ") + words
    }
    return text
  }

  private func level(_ word: String) -> String {
    switch ConsoleAdministrator.Level(rawValue: word) {
    case .viewer?: say(.levelViewer)
    case .support?: say(.levelSupport)
    case .administrator?: say(.administrator)
    case nil: word
    }
  }

  /// What erasing removes and what stays, and the field that says which person is meant.
  func erasing(_ account: AccountCard) -> SheetForm {
    var field = Field(
      id: FieldName.confirmation.rawValue, kind: .text, label: say(.confirmation),
      value: account.confirmation, autofill: "off"
    )
    field.help = say(.confirmationHelp)
    field.isEnabled = account.working == nil
    return SheetForm(paragraphs: [say(.eraseRemoved), say(.eraseStays)], field: field)
  }
}
