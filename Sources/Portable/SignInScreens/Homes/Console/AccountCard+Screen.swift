import SignInEngine
import SignInFlow
import SignInModel
import SignInWire

extension AccountCard {
  func parts(
    _ localizer: Localizer, _ names: KnownNames,
    _ organizations: FetchedValue<[OrganizationCard]>
  ) -> [Part] {
    if let editor { return editor.parts(localizer, organizations) }
    var first = [localizer.backButton]
    if isEditable { first.append(localizer.button(.editAccount, .editAccount, .secondary)) }
    var parts: [Part] = [.actions(id: "close", first)]
    if let notice { parts.append(.banner(localizer.banner(notice))) }
    parts.append(
      .details(
        id: PagePart.account.rawValue, title: entry.name, badges: localizer.badges(of: entry),
        contact(localizer, organizations)
      ))
    parts.append(signInStatus(localizer))
    if let invitation {
      var details = [
        Detail(label: localizer.say(.endsAt), text: localizer.stamp(invitation.expiresAt))
      ]
      if let text = invitation.link ?? invitation.invitation {
        let copy = Detail.Copy(
          groups: [text.revealed], label: localizer.say(.copy),
          fullLabel: localizer.say(.copyInvitation), done: localizer.say(.copied))
        details.insert(
          Detail(
            label: localizer.say(.invitationLink), text: Phrase(text.revealed), copy: copy), at: 0)
      }
      parts.append(
        .details(id: "invitation", title: localizer.say(.invitation), badges: [], details))
    }
    var buttons: [Button] = []
    for action in actions { buttons.append(localizer.button(for: action)) }
    if !buttons.isEmpty { parts.append(.actions(id: "actions", buttons)) }
    if entry.role == AccountRole.owner.rawValue {
      parts.append(.actions(id: "links", [localizer.linkToProducts(of: entry)]))
    }
    return parts + sessionParts(localizer, names) + historyParts(localizer, names)
      + [
        .details(
          id: "facts", title: localizer.say(.detail), badges: [],
          facts(localizer, organizations))
      ] + dataParts(localizer)
  }

  private func dataParts(_ localizer: Localizer) -> [Part] {
    var buttons: [Button] = []
    for action in dataActions { buttons.append(localizer.button(for: action)) }
    guard !buttons.isEmpty else { return [] }
    return [
      .text(id: "data-lead", text: Phrase(localizer.say(.personalData)), tone: .muted),
      .actions(id: "data-actions", buttons),
    ]
  }

  /// The facts that say whose account it is.
  private func contact(
    _ localizer: Localizer, _ known: FetchedValue<[OrganizationCard]>
  ) -> [Detail] {
    func detail(_ label: String, _ text: String) -> Detail {
      Detail(label: label, text: Phrase(text))
    }
    var organizations = ""
    for organization in entry.organizations {
      organizations += (organizations.isEmpty ? "" : ", ") + localizer.name(of: organization, known)
    }
    var details = [detail(localizer.say(.role), localizer.role(entry.role))]
    if let phone = entry.phone { details.append(detail(localizer.say(.mobileNumber), phone)) }
    if let email = entry.email {
      details.append(detail(localizer.say(.email), email))
      let letters = Self.letters(of: email)
      if !letters.isEmpty { details.append(detail(localizer.say(.emailLetters), letters)) }
    }
    if !organizations.isEmpty {
      details.append(detail(localizer.say(.organizations), organizations))
    }
    return details
  }

  /// Each letter of the address that is not ASCII, once, with its code point.
  ///
  /// Such a letter can look like a letter of another address. A joiner or a combining mark can be
  /// invisible, so the code point is what shows it.
  private static func letters(of email: String) -> String {
    var (text, known): (String, [String]) = ("", [])
    for scalar in email.unicodeScalars where !scalar.isASCII {
      // Unicode writes a code point with at least four hexadecimal digits.
      var shift: UInt32 = scalar.value > 0xFFFFF ? 24 : scalar.value > 0xFFFF ? 20 : 16
      var code: [UInt8] = []
      while shift > 0 {
        shift -= 4
        let digit = UInt8(truncatingIfNeeded: scalar.value &>> shift & 15)
        code.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10)
      }
      let letter = String(scalar) + " U+" + String(decoding: code, as: UTF8.self)
      if known.contains(where: { $0.hasSameBytes(as: letter) }) { continue }
      known.append(letter)
      text += (text.isEmpty ? "" : ", ") + letter
    }
    return text
  }

  private func facts(
    _ localizer: Localizer, _ known: FetchedValue<[OrganizationCard]>
  ) -> [Detail] {
    func detail(_ label: Sentence, _ text: String) -> Detail {
      Detail(label: localizer.say(label), text: Phrase(text))
    }
    func detail(_ label: ConsoleSentence, _ text: String) -> Detail {
      Detail(label: localizer.say(label), text: Phrase(text))
    }
    var details: [Detail] = []
    if !entry.permissions.isEmpty {
      details.append(detail(.permissions, localizer.permissions(entry.permissions, known)))
    }
    if let moment = entry.phoneUnverifiedSince {
      details.append(
        Detail(label: localizer.say(.numberUnconfirmed), text: localizer.stamp(moment)))
    }
    if entry.role != AccountRole.rider.rawValue {
      details.append(
        detail(.password, localizer.say(entry.hasPassword ? .passwordSet : .passwordNotSet)))
    }
    if let moment = entry.passwordAvailableAt {
      details.append(Detail(label: localizer.say(.newPasswordFrom), text: localizer.stamp(moment)))
    }
    if let moment = entry.erasureAt {
      details.append(Detail(label: localizer.say(.erasedFrom), text: localizer.stamp(moment)))
    }
    details.append(detail(.failuresInRow, localizer.format.number(entry.failuresInRow)))
    if let until = entry.lockedUntil {
      details.append(Detail(label: localizer.say(.locked), text: localizer.until(until)))
    }
    if entry.lockedDevices > 0 {
      details.append(detail(.lockedDevices, localizer.format.number(entry.lockedDevices)))
    }
    details.append(Detail(label: localizer.say(.createdAt), text: localizer.stamp(entry.createdAt)))
    details.append(detail(.accountIdentifier, entry.id.text))
    return details
  }

  private func sessionParts(_ localizer: Localizer, _ names: KnownNames) -> [Part] {
    guard let sessions = sessions.value else {
      return [.progress(id: "sessions-loading", label: localizer.say(.loadingList))]
    }
    guard !sessions.isEmpty else {
      return [
        .text(id: "no-sessions", text: Phrase(localizer.say(.noSessions)), tone: .muted)
      ]
    }
    var rows: [TableRow] = []
    for session in sessions {
      var end = TableRow.Cell(text: Phrase(""))
      if session.isCurrent {
        end.badges = [Badge(text: localizer.say(.thisDevice), severity: .neutral)]
      } else if canEndSession {
        end = TableRow.Cell(
          text: Phrase(localizer.say(.endSession)),
          action: RowAction(button: ButtonName.endSession.rawValue, item: session.id.text))
      }
      let name = session.device.map { localizer.name(of: $0) }
      var pieces: [Phrase.Piece] = [.words(name ?? localizer.tell(.unknownDevice))]
      if let place = session.place { pieces += [.words(" · "), .place(place)] }
      var device = TableRow.Cell(text: Phrase(pieces))
      if !session.isBound {
        device.badges = [Badge(text: localizer.say(.tokensUnbound), severity: .warning)]
      }
      rows.append(
        TableRow(
          id: session.id.text,
          cells: [
            device,
            TableRow.Cell(text: Phrase(names.app(session.client))),
            TableRow.Cell(text: localizer.stamp(session.lastUsedAt)), end,
          ]
        ))
    }
    return [
      .table(
        Table(
          id: "sessions", label: localizer.say(.signedInAt),
          columns: [
            localizer.say(.device), localizer.say(.app), localizer.say(.lastUsed),
            localizer.say(.sessionAction),
          ],
          rows: rows, showsLabel: true
        ))
    ]
  }
}
