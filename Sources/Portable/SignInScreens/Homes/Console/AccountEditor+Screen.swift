import SignInEngine
import SignInFlow
import SignInModel
import SignInWire

extension AccountEditor {
  func parts(_ localizer: Localizer, _ organizations: FetchedValue<[OrganizationCard]>) -> [Part] {
    var close = localizer.backButton
    close.isEnabled = waiting == nil
    var parts: [Part] = [.actions(id: "close", [close])]
    if let notice { parts.append(.banner(localizer.banner(notice))) }
    parts.append(
      .subject(
        id: PagePart.account.rawValue,
        text: isNew
          ? localizer.say(.newAccount)
          : localizer.say(.editTitle, [(name: "name", value: entry.name)]), badge: nil))
    if let lead {
      parts.append(.text(id: "edit-lead", text: Phrase(localizer.say(lead)), tone: .muted))
    }
    if isNew { parts.append(.field(roleField(localizer))) }
    if extent != .organizations { parts.append(.field(nameField(localizer))) }
    if extent == .everything {
      parts += [.field(emailField(localizer)), .field(phoneField(localizer))]
      if !isNew { parts.append(.field(roleField(localizer))) }
    }
    if extent != .name { parts += checks(localizer, organizations) }
    if hasPermissions, let known = organizations.value { parts += levels(localizer, known) }
    let label: ConsoleSentence =
      waiting == nil
      ? isNew ? .createAccount : .saveValue
      : isNew ? .creatingAccount : .savingValue
    var save = localizer.button(.saveAccount, label, .primary)
    save.isBusy = waiting != nil
    parts.append(.button(save))
    return parts
  }

  private var lead: ConsoleSentence? {
    switch extent {
    case .everything: isNew ? isRider ? .riderCreationLead : .creationLead : nil
    case .name: .editOwnLead
    case .organizations: .takeOutLead
    }
  }

  private func field(
    _ name: FieldName, _ kind: Field.Kind, _ label: String, _ value: String, _ localizer: Localizer
  ) -> Field {
    var field = Field(id: name.rawValue, kind: kind, label: label, value: value, autofill: "off")
    field.error = fault(at: name).map { localizer.refused($0) }
    field.isEnabled = waiting == nil
    return field
  }

  private func nameField(_ localizer: Localizer) -> Field {
    field(.name, .text, localizer.say(.name), name, localizer)
  }

  private func emailField(_ localizer: Localizer) -> Field {
    var field = field(.email, .email, localizer.say(.email), email, localizer)
    if isNew {
      if isRider { field.help = localizer.say(.emailOptional) }
    } else if isEmailNew {
      field.help = localizer.say(.newEmailHelp)
    }
    return field
  }

  private func phoneField(_ localizer: Localizer) -> Field {
    var field = field(.phone, .text, localizer.say(.mobileNumber), phone, localizer)
    if isNew { field.placeholder = "+47 900 00 001" }
    if isPhoneNew, !isNew { field.help = localizer.say(.newPhoneHelp) }
    if isPhoneRemoved { field.help = localizer.say(.newRoleHelp) }
    return field
  }

  private var isRider: Bool { role == AccountRole.rider.rawValue }

  private func roleField(_ localizer: Localizer) -> Field {
    var choices: [Choice] = []
    for role in Self.roles { choices.append(Choice(value: role, name: localizer.role(role))) }
    var field = field(.role, .choice(choices), localizer.say(.role), role, localizer)
    if isRoleNew, !isNew {
      field.help = localizer.say(
        entry.role == AccountRole.administrator.rawValue ? .formerAdministratorHelp : .newRoleHelp)
    }
    return field
  }

  /// A choice of a level for all organizations, and one for each organization.
  private func levels(_ localizer: Localizer, _ known: [OrganizationCard]) -> [Part] {
    var fields: [Field] = []
    func add(_ place: OrganizationID?, _ name: String?) {
      var choices = [Choice(value: "", name: localizer.say(.levelNone))]
      for level in ConsoleAdministrator.Level.allCases where mayGrant(level, in: place) {
        choices.append(Choice(value: level.rawValue, name: localizer.level(level.rawValue)))
      }
      guard choices.count > 1 else { return }
      var field = Field(
        id: FieldName.permissions.rawValue + ":" + (place?.text ?? ""), kind: .choice(choices),
        label: localizer.granted(localizer.say(.permissions), name), value: level(in: place),
        autofill: "off")
      if fields.isEmpty { field.error = fault(at: .permissions).map { localizer.refused($0) } }
      field.isEnabled = waiting == nil
      fields.append(field)
    }
    add(nil, nil)
    for card in known { add(card.id, card.name) }
    // The administrator may not read these organizations, so their identifiers are shown as names.
    for case let id? in entry.permissions.map({ $0.organization })
    where !known.contains(where: { $0.id == id }) {
      add(id, id.text)
    }
    return [.fields(id: FieldName.permissions.rawValue, fields)]
  }

  private func checks(
    _ localizer: Localizer, _ known: FetchedValue<[OrganizationCard]>
  ) -> [Part] {
    guard let known = known.value else { return localizer.organizationsUnknown(known) }
    var checks: [Checks.Check] = []
    for card in known where !isNew || mayToggle(card.id) {
      checks.append(
        Checks.Check(
          item: card.id.text, label: card.name, isOn: organizations.contains(card.id),
          isEnabled: waiting == nil && mayToggle(card.id)))
    }
    // The administrator may not read these organizations, so their identifiers are shown as names.
    for id in entry.organizations where !known.contains(where: { $0.id == id }) {
      checks.append(Checks.Check(item: id.text, label: id.text, isOn: true, isEnabled: false))
    }
    return localizer.organizations(
      checks, fault(at: .organizations).map { localizer.refused($0) },
      help: losesOrganization ? localizer.say(.lostOrganizationHelp) : nil)
  }
}

extension Localizer {
  /// Returns no parts if the configuration has no organizations.
  func organizations(
    _ checks: [Checks.Check], _ error: String?, help: String? = nil
  ) -> [Part] {
    guard !checks.isEmpty else { return [] }
    return [
      .checks(
        Checks(
          id: FieldName.organizations.rawValue, label: say(.organizations),
          button: ButtonName.toggleOrganization.rawValue, checks: checks, help: help,
          error: error))
    ]
  }

  /// The identifier, if the administrator may not read the name or it is not known yet.
  func name(of id: OrganizationID, _ known: FetchedValue<[OrganizationCard]>) -> String {
    known.value?.first { $0.id == id }?.name ?? id.text
  }

  func organizationsUnknown(_ known: FetchedValue<[OrganizationCard]>) -> [Part] {
    guard let problem = known.problem else {
      return [.progress(id: "organizations-loading", label: say(.loadingList))]
    }
    return [.note(id: "organizations-problem", text: notice(problem), severity: .warning)]
  }

  func refused(_ fault: AccountEditor.Fault) -> String {
    switch fault {
    case .nameNeeded: say(.nameNeeded)
    case .nameTooLong: say(.nameTooLong)
    case .emailMalformed: say(.emailMalformed)
    case .emailNeeded: say(.emailNeeded)
    case .emailTaken: say(.emailTaken)
    case .phoneMalformed: say(.internationalNeeded)
    case .phoneZeroDoubtful: say(.numberZeroDoubtful)
    case .phoneNeeded: say(.phoneNeeded)
    case .phoneTaken: say(.phoneTaken)
    case .organizationNeeded: say(.organizationNeeded)
    case .permissionNeeded: say(.permissionNeeded)
    }
  }

  /// Says that the account was changed, and what happens next.
  func edited(_ consequences: [AccountEditor.Consequence]) -> String {
    var text = say(.accountSaved)
    for consequence in consequences {
      switch consequence {
      case .newPhone: text += " " + say(.newPhoneNext)
      case .newEmail: text += " " + say(.newEmailNext)
      case .removedPhone: text += " " + say(.newRoleNext)
      case .newRole:
        if !consequences.contains(.newPhone), !consequences.contains(.removedPhone) {
          text += " " + say(.newRoleNext)
        }
      case .lostOrganization: text += " " + say(.lostOrganizationNext)
      }
    }
    return text
  }

  /// The permissions of an administrator as text.
  func permissions(
    _ entries: [PermissionEntry], _ known: FetchedValue<[OrganizationCard]>
  ) -> String {
    var text = ""
    for entry in entries {
      let words = granted(level(entry.level), entry.organization.map { name(of: $0, known) })
      text += (text.isEmpty ? "" : ", ") + words
    }
    return text
  }

  /// What applies in one organization, or in all.
  func granted(_ what: String, _ organization: String?) -> String {
    let level = (name: "level", value: what)
    guard let organization else { return say(.levelEverywhere, [level]) }
    return say(.levelInOrganization, [level, (name: "organization", value: organization)])
  }

  func level(_ word: String) -> String {
    switch ConsoleAdministrator.Level(rawValue: word) {
    case .viewer?: say(.levelViewer)
    case .support?: say(.levelSupport)
    case .administrator?: say(.administrator)
    case nil: word
    }
  }

  /// What the erasure removes, what it does not remove, and the field that confirms the account.
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
