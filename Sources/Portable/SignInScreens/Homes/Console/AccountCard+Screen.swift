import SignInFlow
import SignInModel
import SignInWire

extension AccountCard {
  func parts(_ speaker: Speaker, _ organizations: Fetched<[OrganizationCard]>) -> [Part] {
    if let editor { return editor.parts(speaker, organizations) }
    var first = [speaker.backButton]
    if isEditable { first.append(speaker.button(.editAccount, .editAccount, .secondary)) }
    var parts: [Part] = [.actions(id: "close", first)]
    if let notice { parts.append(.banner(speaker.banner(notice))) }
    parts.append(
      .details(
        id: FocusTarget.account.rawValue, title: entry.name, badges: speaker.badges(of: entry),
        facts(speaker)
      ))
    if let invitation, let text = invitation.link ?? invitation.invitation {
      parts.append(
        .details(
          id: "invitation", title: speaker.say(.invitation), badges: [],
          [
            Detail(
              label: speaker.say(.invitationLink), text: Phrase(text.revealed),
              copy: Detail.Copy(
                groups: [text.revealed], label: speaker.say(.copy),
                fullLabel: speaker.say(.copyInvitation), done: speaker.say(.copied)
              )),
            Detail(label: speaker.say(.endsAt), text: speaker.stamp(invitation.expiresAt)),
          ]
        ))
    }
    var buttons: [Button] = []
    for action in actions { buttons.append(speaker.button(for: action)) }
    if !buttons.isEmpty { parts.append(.actions(id: "actions", buttons)) }
    return parts + sessionParts(speaker) + dataParts(speaker)
  }

  private func dataParts(_ speaker: Speaker) -> [Part] {
    var buttons: [Button] = []
    for action in dataActions { buttons.append(speaker.button(for: action)) }
    guard !buttons.isEmpty else { return [] }
    return [
      .text(id: "data-lead", text: Phrase(speaker.say(.personalData)), tone: .muted),
      .actions(id: "data-actions", buttons),
    ]
  }

  private func facts(_ speaker: Speaker) -> [Detail] {
    func detail(_ label: Sentence, _ text: String) -> Detail {
      Detail(label: speaker.say(label), text: Phrase(text))
    }
    func detail(_ label: ConsoleSentence, _ text: String) -> Detail {
      Detail(label: speaker.say(label), text: Phrase(text))
    }
    var organizations = ""
    for organization in entry.organizations {
      organizations += (organizations.isEmpty ? "" : ", ") + organization.text
    }
    var details = [detail(.role, speaker.role(entry.role)), detail(.mobileNumber, entry.phone)]
    if let email = entry.email { details.append(detail(.email, email)) }
    if !organizations.isEmpty { details.append(detail(.organizations, organizations)) }
    if !entry.permissions.isEmpty {
      details.append(detail(.permissions, speaker.permissions(entry.permissions)))
    }
    if let moment = entry.phoneUnverifiedSince {
      details.append(Detail(label: speaker.say(.numberUnconfirmed), text: speaker.stamp(moment)))
    }
    if entry.role != "rider" {
      details.append(
        detail(.password, speaker.say(entry.hasPassword ? .passwordSet : .passwordNotSet)))
    }
    if let moment = entry.passwordAvailableAt {
      details.append(Detail(label: speaker.say(.newPasswordFrom), text: speaker.stamp(moment)))
    }
    details.append(detail(.failuresInRow, speaker.format.number(entry.failuresInRow)))
    if let until = entry.lockedUntil {
      details.append(Detail(label: speaker.say(.locked), text: speaker.until(until)))
    }
    if entry.lockedDevices > 0 {
      details.append(detail(.lockedDevices, speaker.format.number(entry.lockedDevices)))
    }
    details.append(Detail(label: speaker.say(.createdAt), text: speaker.stamp(entry.createdAt)))
    details.append(detail(.accountIdentifier, entry.id.text))
    return details
  }

  private func sessionParts(_ speaker: Speaker) -> [Part] {
    guard let sessions = sessions.value else {
      return [.progress(id: "sessions-loading", label: speaker.say(.loadingList))]
    }
    guard !sessions.isEmpty else {
      return [
        .text(id: "no-sessions", text: Phrase(speaker.say(.noSessions)), tone: .muted)
      ]
    }
    var rows: [TableRow] = []
    for session in sessions {
      var app = TableRow.Cell(text: Phrase(session.client.text))
      if !session.isBound {
        app.badges = [Badge(text: speaker.say(.tokensUnbound), severity: .warning)]
      }
      rows.append(
        TableRow(
          id: session.id.text,
          cells: [
            app,
            TableRow.Cell(text: speaker.stamp(session.lastUsedAt)),
            TableRow.Cell(text: speaker.stamp(session.expiresAt)),
          ]
        ))
    }
    return [
      .table(
        Table(
          id: "sessions", label: speaker.say(.signedInAt),
          columns: [
            speaker.say(.app), speaker.say(.lastUsed), speaker.say(.endsAt),
          ],
          rows: rows
        ))
    ]
  }
}

extension TechnicianCreation {
  func parts(_ speaker: Speaker, _ organizations: Fetched<[OrganizationCard]>) -> [Part] {
    let isBusy = waiting != nil
    func field(
      _ name: FieldName, _ kind: Field.Kind, _ label: Sentence, _ value: String,
      _ fault: String, _ placeholder: String? = nil
    ) -> Part {
      var field = Field(
        id: name.rawValue, kind: kind, label: speaker.say(label), value: value, autofill: "off"
      )
      field.placeholder = placeholder
      field.error = faults.contains(name) ? fault : nil
      field.isEnabled = !isBusy
      return .field(field)
    }
    var parts: [Part] = [.actions(id: "close", [speaker.backButton])]
    if let notice { parts.append(.banner(speaker.banner(notice))) }
    var button = speaker.button(
      .createTechnician, isBusy ? .creatingAccount : .createTechnician, .primary
    )
    button.isBusy = isBusy
    parts += [
      .text(id: "creation-lead", text: Phrase(speaker.say(.creationLead)), tone: .muted),
      field(.name, .text, .name, name, speaker.say(.nameNeeded)),
      field(
        .email, .email, .email, email, speaker.say(.emailMalformed),
        speaker.say(.emailPlaceholder)
      ),
      field(
        .phone, .text, .mobileNumber, phone, speaker.say(.internationalNeeded), "+47 900 00 001"
      ),
    ]
    return parts + checks(speaker, organizations) + [.button(button)]
  }
}
