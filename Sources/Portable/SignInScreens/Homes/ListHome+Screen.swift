import SignInEngine
import SignInFlow
import SignInModel
import SignInWire

/// What the page of one job or delivery shows.
struct WorkDetails {
  let title: String
  let badge: Badge
  let startsAt: Instant
  let endsAt: Instant
  var person: String?
  var parcels: String?
  let place: String
  let phone: String?
  let instructions: String?
  let status: String
  var statusNote: String?
}

extension ListHome where Value: HomeAnswerScreen {
  /// The list, and beside it the page of the open item.
  ///
  /// `details` returns `nil` for an item that is not in the list.
  func view(
    _ list: HomeView, _ localizer: Localizer, _ choice: Sentence,
    _ details: (String) -> WorkDetails?
  ) -> HomeView {
    guard answer.value != nil, !answer.isSealed(at: localizer.now) else { return list }
    guard let opened else { return list.choosing(choice, localizer) }
    guard let item = details(opened) else { return localizer.unknownPlace(list.place) }
    var parts = [.button(localizer.pageBack)] + localizer.parts(of: item)
    let change = change(of: opened)
    let choices = Value.next(after: item.status)
    let isBusy = change?.request.isPresent ?? false
    if !choices.isEmpty {
      parts.append(.actions(id: "statuses", localizer.buttons(choices, isBusy: isBusy)))
    }
    parts.append(localizer.note(change, outcome))
    var shown = [Part.beside(list.parts, parts, chosen: opened)]
    if let asking {
      shown.append(
        localizer.question(
          asking, needsNote: Value.needsNote(asking.status),
          isFinal: Value.next(after: asking.status).isEmpty))
    }
    return HomeView(
      id: "work", place: list.place, subject: item.title, statusBar: list.statusBar, back: .back,
      parts: shown)
  }
}

extension Localizer {
  fileprivate func parts(of item: WorkDetails) -> [Part] {
    var time = Phrase(moment(item.startsAt, .day)).pieces
    time += [.words(", "), .moment(moment(item.startsAt, .clock)), .words(" – ")]
    time.append(.moment(moment(item.endsAt, .clock)))
    // The shell opens the map app of the device for this address (RFC 5870).
    let map = "geo:0,0?q=" + Form.percentEncoded(item.place)
    var parts: [Part] = [
      .subject(id: PagePart.record.rawValue, text: item.title, badge: item.badge)
    ]
    if let note = item.statusNote {
      parts.append(.text(id: "status-note", text: Phrase(note), tone: .body))
    }
    parts += [
      .fact(id: "time", symbol: .clock, text: Phrase(time))
    ]
    if let person = item.person {
      parts.append(.fact(id: "person", symbol: .person, text: Phrase(person)))
    }
    if let parcels = item.parcels {
      parts.append(.fact(id: "parcels", symbol: .parcel, text: Phrase(parcels)))
    }
    parts.append(
      .fact(
        id: "place", symbol: .place, text: Phrase(item.place),
        link: Link(label: say(.directions), address: map)))
    if let phone = item.phone { parts.append(number(toCall: phone)) }
    if let instructions = item.instructions {
      parts.append(.text(id: "note", text: Phrase(say(.instructions)), tone: .caption))
      parts.append(.text(id: "instructions", text: Phrase(instructions), tone: .body))
    }
    return parts
  }

  /// The number to call, with a link; a text that is no number has none.
  func number(toCall text: String) -> Part {
    var link: Link?
    if let number = PhoneNumber(typed: text) {
      link = Link(label: say(.call), address: number.callAddress)
    }
    return .fact(id: "phone", symbol: .phone, text: Phrase([.unbroken(text)]), link: link)
  }

  fileprivate func question(
    _ question: StatusQuestion, needsNote: Bool, isFinal: Bool
  ) -> Part {
    let name = statusAction(question.status)
    // Finishing the work is usual, so its button is not red, although it cannot be undone.
    var confirm = button(.confirm, .done, isBad(question.status) ? .dangerous : .primary)
    confirm.label = name
    var form: SheetForm?
    if needsNote {
      let field = Field(
        id: FieldName.description.rawValue, kind: .lines, label: say(.statusNote),
        value: question.note, error: question.mistake.map { words(for: $0) }, autofill: "off")
      form = SheetForm(paragraphs: [], field: field)
    }
    let text = isFinal ? say(.finalText) : say(.statusNoteAdvice)
    return .sheet(
      id: "question", title: say(.finalTitle, "status", name), text: Phrase(text),
      form: form, buttons: [confirm, button(.cancel, .cancel, .quiet)])
  }

  func words(for mistake: StatusQuestion.Mistake) -> String {
    switch mistake {
    case .noNote: say(.statusNoteMissing)
    case .noteTooLong: say(.statusNoteTooLong)
    }
  }

  fileprivate func buttons(_ statuses: [String], isBusy: Bool) -> [Button] {
    var buttons: [Button] = []
    for status in statuses {
      let kind: Button.Kind =
        buttons.isEmpty ? .primary : isBad(status) ? .dangerous : .secondary
      var button = Button(
        id: ButtonName.setStatus.rawValue, kind: kind, label: statusAction(status))
      button.item = status
      button.isBusy = isBusy
      buttons.append(button)
    }
    return buttons
  }

  private func isBad(_ status: String) -> Bool { status == "problem" || status == "failed" }

  /// The words of the button that sets the status.
  private func statusAction(_ status: String) -> String {
    switch status {
    case "on_the_way": say(.onTheWay)
    case "in_progress": say(.startWork)
    case "problem": say(.problem)
    case "done": say(.done)
    case "picked_up": say(.pickedUp)
    case "delivered": say(.delivered)
    case "failed": say(.notDelivered)
    default: status
    }
  }

  /// What happened to the new status, beside the buttons.
  fileprivate func note<Value>(
    _ change: StatusChange?, _ outcome: ListHome<Value>.Outcome?
  ) -> Part {
    if let change {
      return change.request.isPresent
        ? .note(id: "outcome", text: say(.savingNotes))
        : .note(id: "outcome", text: say(.statusUnsent), severity: .info)
    }
    switch outcome {
    case .saved(let at)?:
      let time = moment(at, .clock).text
      return .note(
        id: "outcome", text: say(.statusSavedAt, "time", time), severity: .success)
    case .refused(let reason)?:
      return .note(id: "outcome", text: notice(reason), severity: .error)
    case nil: return .note(id: "outcome", text: "")
    }
  }
}
