import SignInEngine
import SignInFlow
import SignInModel
import SignInWire

/// The sentences of the console.
extension Localizer {
  func stamp(_ moment: Instant) -> Phrase {
    Phrase(self.moment(moment, .dateAndTime))
  }

  func until(_ moment: Instant) -> Phrase {
    Phrase(say(.untilTime), filling: .moment(self.moment(moment, .dateAndTime)))
  }

  // MARK: Accounts

  func role(_ word: String) -> String {
    switch AccountRole(rawValue: word) {
    case .technician: say(.technician)
    case .rider: say(.rider)
    case .owner: say(.productOwner)
    case .mentor: say(.peerMentor)
    case .administrator: say(.administrator)
    case nil: word
    }
  }

  func status(_ word: String) -> Badge {
    switch AccountStatus(rawValue: word) {
    case .active: Badge(text: say(.statusActive), severity: .success)
    case .pending: Badge(text: say(.statusPending), severity: .info)
    case .deactivated: Badge(text: say(.statusDeactivated), severity: .neutral)
    case .rejected: Badge(text: say(.statusRejected), severity: .neutral)
    case nil: Badge(text: word, severity: .neutral)
    }
  }

  func badges(of entry: AccountEntry) -> [Badge] {
    var badges = [status(entry.status)]
    if entry.lockedUntil != nil { badges.append(Badge(text: say(.locked), severity: .warning)) }
    return badges
  }

  /// `selectable` accounts have a box.
  func table(
    _ entries: [AccountEntry], opened: AccountID?, _ selectable: [AccountID], _ bulk: BulkApproval
  ) -> Part {
    var rows: [TableRow] = []
    for entry in entries {
      rows.append(
        TableRow(
          id: entry.id.text,
          cells: [
            TableRow.Cell(text: Phrase(entry.name)),
            TableRow.Cell(text: Phrase(role(entry.role))),
            TableRow.Cell(text: Phrase(entry.email ?? entry.phone ?? "")),
            TableRow.Cell(text: Phrase(""), badges: badges(of: entry, bulk)),
          ],
          action: RowAction(button: ButtonName.openAccount.rawValue, item: entry.id.text),
          isCurrent: entry.id == opened,
          check: selectable.contains(entry.id) ? check(entry, bulk) : nil
        ))
    }
    return .table(
      Table(
        id: "account-list", label: say(.accounts),
        columns: [say(.name), say(.role), say(.emailOrNumber), say(.status)], rows: rows,
        check: selectable.isEmpty ? nil : check(selectable, bulk)
      ))
  }

  // MARK: Actions on an account

  private func words(
    for action: AccountAction
  ) -> (
    label: ConsoleSentence, title: ConsoleSentence, text: ConsoleSentence, done: ConsoleSentence
  ) {
    switch action {
    case .approve: (.approve, .approveTitle, .approveText, .approved)
    case .reject: (.reject, .rejectTitle, .rejectText, .rejectedNow)
    case .deactivate: (.deactivate, .deactivateTitle, .deactivateText, .deactivatedNow)
    case .reactivate: (.reactivate, .reactivateTitle, .reactivateText, .reactivatedNow)
    case .unlock: (.unlockAccount, .unlockTitle, .unlockText, .unlocked)
    case .endSessions: (.endSessions, .endSessionsTitle, .endSessionsText, .sessionsEnded)
    case .endSession:
      (.endOneSession, .endOneSessionTitle, .endOneSessionText, .oneSessionEnded)
    case .approvePassword:
      (.approvePassword, .approvePasswordTitle, .approvePasswordText, .passwordApproved)
    case .rejectPassword:
      (.rejectPassword, .rejectPasswordTitle, .rejectPasswordText, .passwordRejected)
    case .cancelErasure:
      (.cancelErasure, .cancelErasureTitle, .cancelErasureText, .erasureCancelled)
    case .invite: (.invite, .inviteTitle, .inviteText, .invited)
    case .sendInvitation:
      (.sendInvitation, .inviteTitle, .sendInvitationText, .invitationSent)
    case .export: (.export, .exportTitle, .exportText, .exported)
    case .erase: (.erase, .eraseTitle, .eraseText, .erased)
    case .resetPassword:
      (.forgetPassword, .forgetPasswordTitle, .forgetPasswordText, .passwordForgotten)
    }
  }

  private func kind(of action: AccountAction) -> Button.Kind {
    switch action {
    case .approve, .reactivate, .sendInvitation: .primary
    case .unlock, .endSessions, .endSession, .approvePassword, .cancelErasure, .invite, .export:
      .secondary
    case .reject, .deactivate, .rejectPassword, .resetPassword, .erase: .dangerous
    }
  }

  func button(for action: AccountAction) -> Button {
    var button = button(.accountAction, words(for: action).label, kind(of: action))
    button.item = action.rawValue
    return button
  }

  /// The question that confirms an action.
  ///
  /// It also shows that the action is in progress.
  func sheet(_ action: AccountAction, _ account: AccountCard) -> Part {
    let words = words(for: action)
    let isBusy = account.working != nil
    var values = [(name: "name", value: account.entry.name)]
    if let session = account.sessionInQuestion {
      let device = session.device.map { name(of: $0) } ?? session.client.text
      values.append((name: "device", value: device))
    }
    let kind = kind(of: action) == .dangerous ? Button.Kind.dangerous : .primary
    var confirm = button(.confirm, isBusy ? .working : words.label, kind)
    confirm.isBusy = isBusy
    confirm.isEnabled = account.mayConfirm
    var cancel = button(.cancel, .cancel, .quiet)
    cancel.isEnabled = !isBusy
    return .sheet(
      id: PagePart.question.rawValue,
      title: say(words.title, values),
      text: Phrase(say(words.text)), form: form(of: action, account),
      buttons: [confirm, cancel]
    )
  }

  /// What the person must type to confirm the action, if anything.
  private func form(of action: AccountAction, _ account: AccountCard) -> SheetForm? {
    if action == .erase { return erasing(account) }
    guard action == .deactivate else { return nil }
    let limit = format.number(Int64(TextLine.lengthLimit))
    let tooLong = Template.fill(label(.reasonTooLong), [(name: "limit", value: limit)])
    return SheetForm(
      paragraphs: [],
      field: Field(
        id: FieldName.reason.rawValue, kind: .text, label: label(.reason),
        value: account.reason, help: label(.reasonHelp),
        error: account.isReasonRefused ? tooLong : nil, isEnabled: account.working == nil,
        autofill: "off"))
  }

  /// The question before typed text is lost.
  var discarding: Part {
    .sheet(
      id: PagePart.question.rawValue, title: say(.discardTitle),
      text: Phrase(say(.discardText)),
      buttons: [
        button(.confirm, .discard, .dangerous), button(.cancel, .keepEditing, .quiet),
      ]
    )
  }

  func said(_ notice: ConsoleNotice) -> String {
    switch notice {
    case .done(let action): say(words(for: action).done)
    case .created(let needsPassword):
      say(.accountCreated) + (needsPassword ? " " + say(.inviteNext) : "")
    case .edited(let consequences): edited(consequences)
    case .nothingChanged: say(.nothingChanged)
    case .approvedSeveral(let approved, let total):
      approved == total
        ? (approved == 1 ? say(.approved) : tell(.approvedAll, approved))
        : tell(.approvedSome, approved, of: total)
    case .listExported:
      Template.fill(
        label(.exported),
        [(name: "limit", value: format.number(Int64(ExportedList.rowLimit)))])
    case .notPermitted: say(.notPermitted)
    case .lastAdministrator: say(.lastAdministrator)
    case .refused: say(.changeRefused)
    case .ownAccount: say(.ownAccount)
    case .appPageMissing: say(.appPageMissing)
    case .accountChangedElsewhere: say(.accountChangedElsewhere)
    case .accountGone: say(.accountGone)
    case .accountExists: say(.accountExists)
    case .productTransferred: say(.productTransferred)
    case .productGone: tell(.productGone)
    case .policySaved: say(.policySaved)
    case .policyRestored: say(.policyRestored)
    case .policyChangedElsewhere: say(.policyChangedElsewhere)
    case .policyGone: say(.policyGone)
    case .policyRefused(let key): refused(key)
    case .failed(let reason): self.notice(reason)
    }
  }

  func banner(_ notice: ConsoleNotice) -> Banner {
    Banner(
      id: "console-banner", severity: notice.isSuccess ? .success : .error, text: said(notice),
      dismissal: notice.isSuccess ? say(.dismiss) : nil
    )
  }

  func accountsListed(_ count: Int64) -> String {
    say(.accountsListed, one: .accountListed, count: count)
  }
}

// MARK: - Logs

extension Localizer {
  /// The events, with fewer columns beside an `opened` one.
  func table(_ entries: [EventEntry], _ names: KnownNames, opened: EventEntry?) -> Part {
    var rows: [TableRow] = []
    for entry in entries {
      let administrator = names.account(entry.administrator)?.name
      let text = sentence(entry, by: administrator, times: entry.count)
      var cells = [
        TableRow.Cell(text: Phrase(text)), TableRow.Cell(text: stamp(entry.at)),
        cell(entry.account, names),
      ]
      if opened == nil {
        cells += [
          TableRow.Cell(text: Phrase(entry.client.map { names.app($0) } ?? "–")),
          TableRow.Cell(text: Phrase(entry.peer ?? "–")),
          TableRow.Cell(text: Phrase(entry.codeAndDetail)),
        ]
      }
      rows.append(
        TableRow(
          id: entry.id, cells: cells,
          action: RowAction(button: ButtonName.openRecord.rawValue, item: entry.id),
          isCurrent: opened.map { $0.id.hasSameBytes(as: entry.id) } ?? false))
    }
    var columns = [say(.whatHappened), say(.when), say(.account)]
    if opened == nil { columns += [say(.app), say(.fromWhere), say(.detail)] }
    return .table(
      Table(id: "events", label: say(.securityLog), columns: columns, rows: rows))
  }

  /// The name of an account as a link to it, or its identifier.
  func cell(_ account: AccountID?, _ names: KnownNames) -> TableRow.Cell {
    guard let known = names.account(account) else {
      return TableRow.Cell(text: Phrase(account?.text ?? "–"))
    }
    return TableRow.Cell(
      text: Phrase(known.name),
      action: RowAction(button: ButtonName.openAccount.rawValue, item: known.id.text))
  }

  /// The event in words; an event of a newer server is its code.
  func sentence(_ entry: EventEntry, by administrator: String?, times count: Int64) -> String {
    sentence(entry, by: administrator) + times(count)
  }

  private func sentence(_ entry: EventEntry, by administrator: String?) -> String {
    let known =
      entry.detail.flatMap { EventSentence(rawValue: entry.code + " " + $0) }
      ?? EventSentence(rawValue: entry.code)
    let text = known?.text(in: format.locale.language) ?? entry.code
    guard let administrator else { return text }
    return say(.eventBy, [(name: "event", value: text), (name: "name", value: administrator)])
  }

  /// Empty for a count of 1, because a row reports one event by default.
  private func times(_ count: Int64) -> String { count > 1 ? " × " + format.number(count) : "" }

  func table(_ entries: [MessageEntry], opened: MessageEntry?) -> Part {
    var rows: [TableRow] = []
    for entry in entries {
      rows.append(
        TableRow(
          id: entry.id,
          cells: [
            TableRow.Cell(text: Phrase(entry.to)),
            TableRow.Cell(text: Phrase(kind(ofMessage: entry.kind))),
            TableRow.Cell(text: stamp(entry.createdAt)),
            TableRow.Cell(text: Phrase(""), badges: [outcome(entry.outcome)]),
            TableRow.Cell(text: Phrase(format.number(entry.tries))),
          ],
          action: RowAction(button: ButtonName.openRecord.rawValue, item: entry.id),
          isCurrent: entry.id == opened?.id
        ))
    }
    return .table(
      Table(
        id: "messages", label: say(.messageLog),
        columns: [
          say(.recipient), label(.kind), say(.when), say(.messageState), say(.tries),
        ], rows: rows
      ))
  }

  func outcome(_ word: String) -> Badge {
    switch word {
    case "waiting": Badge(text: say(.messageWaiting), severity: .info)
    case "sent": Badge(text: say(.outcomeSent), severity: .neutral)
    case "delivered": Badge(text: say(.outcomeDelivered), severity: .success)
    case "failed": Badge(text: say(.messageFailed), severity: .warning)
    default: Badge(text: word, severity: .neutral)
    }
  }
}
