public import JSONText
import SignInEngine
import SignInFlow
import SignInModel
import SignInWire

/// Writes the parts that only one home has.
typealias OwnPartWriter = (Part) -> JSON

extension Screen {
  /// The JSON of a screen of any home.
  public var json: JSON { json(writing: Part.anyHome) }

  func json(writing ownPart: OwnPartWriter) -> JSON {
    .members([
      JSONMember("id", id),
      JSONMember("title", title),
      JSONMember("layout", layout.rawValue),
      JSONMember("path", path),
      JSONMember("language", language),
      languageMenu.map { JSONMember("language_menu", $0.json) },
      header.map { JSONMember("header", $0.json) },
      statusBar.map { JSONMember("status_bar", $0.json) },
      JSONMember("back", ifPresent: back),
      focus.map { JSONMember("focus", $0.json) },
      JSONMember("parts", .array(parts.map { $0.json(writing: ownPart) })),
    ])
  }
}

extension LanguageMenu {
  var json: JSON {
    .members([
      JSONMember("id", id), JSONMember("label", label), JSONMember("chosen", chosen),
      JSONMember("choices", .array(choices.map { $0.json })),
    ])
  }
}

extension LanguageChoice {
  var json: JSON { .members([JSONMember("code", code), JSONMember("name", name)]) }
}

extension FocusPosition {
  var json: JSON { .members([JSONMember("part", part), JSONMember("serial", serial)]) }
}

extension Part {
  var json: JSON { json(writing: Self.anyHome) }

  func json(writing ownPart: OwnPartWriter) -> JSON {
    switch self {
    case .mark(let id, let name, let app):
      return .part("logo", id, [JSONMember("name", name), JSONMember("app", app)])
    case .title(let id, let text):
      return .part("title", id, [JSONMember("text", text)])
    case .text(let id, let text, let tone):
      return .part(
        "text", id, [JSONMember("text", text.json), JSONMember("tone", tone.rawValue)]
      )
    case .lead(let id, let text, let banner):
      return .part(
        "lead", id, [JSONMember("text", text.json), banner.map { JSONMember("banner", $0.json) }]
      )
    case .banner(let banner): return banner.json
    case .divider(let id, let text): return .part("divider", id, [JSONMember("text", text)])
    case .field(let field): return field.json
    case .button(let button): return button.json
    case .note(let id, let text, let severity):
      return .part(
        "note", id,
        [JSONMember("text", text), JSONMember("severity", ifPresent: severity?.rawValue)]
      )
    case .progress(let id, let label):
      return .part("progress", id, [JSONMember("label", label)])
    case .empty(let id, let symbol, let title, let text):
      return .part(
        "empty", id,
        [
          JSONMember("symbol", symbol.rawValue), JSONMember("title", title),
          JSONMember("text", text),
        ]
      )
    case .fact(let id, let symbol, let text, let link):
      return Self.fact(id, symbol, text, link)
    case .subject(let id, let text, let badge):
      return .part(
        "subject", id, [JSONMember("text", text), badge.map { JSONMember("badge", $0.json) }]
      )
    case .actionCards(let id, let cards):
      return .part("action_cards", id, [JSONMember("cards", .array(cards.map { $0.json }))])
    case .sheet(let id, let title, let text, let form, let buttons):
      return Self.sheet(id, title, text, form, buttons)
    case .tabs, .actions, .fields, .split: return groupJSON(ownPart)
    case .table, .chart, .checks, .sections, .window, .photo: return ownPart(self)
    case .figures(let id, let label, let figures):
      let list = JSON.array(figures.map { $0.json })
      return .part("figures", id, [JSONMember("label", label), JSONMember("figures", list)])
    case .details(let id, let title, let badges, let details):
      return Self.details(id, title, badges, details)
    case .toolbar(let id, let text, let button): return Self.toolbar(id, text, button)
    }
  }
}

extension Part {
  private static func fact(_ id: String, _ symbol: Symbol, _ text: Phrase, _ link: Link?) -> JSON {
    .part(
      "fact", id,
      [
        JSONMember("symbol", symbol.rawValue), JSONMember("text", text.json),
        link.map { JSONMember("link", $0.json) },
      ]
    )
  }

  private static func toolbar(_ id: String, _ text: Phrase, _ button: Button) -> JSON {
    .part("toolbar", id, [JSONMember("text", text.json), JSONMember("button", button.json)])
  }

  private static func sheet(
    _ id: String, _ title: String, _ text: Phrase, _ form: SheetForm?, _ buttons: [Button]
  ) -> JSON {
    .part(
      "sheet", id,
      [
        JSONMember("title", title), JSONMember("text", text.json),
        form.map { JSONMember("paragraphs", .array($0.paragraphs.map { JSON.string($0) })) },
        form.map { JSONMember("field", $0.field.json) },
        JSONMember("buttons", .array(buttons.map { $0.json })),
      ]
    )
  }

  static func window(
    _ id: String, _ label: String, total: Int64, first: Int64, _ rows: [VirtualListRow]
  ) -> JSON {
    .part(
      "virtual_list", id,
      [
        JSONMember("label", label), JSONMember("total", total), JSONMember("first", first),
        JSONMember("rows", .array(rows.map { $0.json })),
      ]
    )
  }

  private static func details(
    _ id: String, _ title: String, _ badges: [Badge], _ details: [Detail]
  ) -> JSON {
    .part(
      "details", id,
      [
        JSONMember("title", title), JSONMember("badges", .array(badges.map { $0.json })),
        JSONMember("details", .array(details.map { $0.json })),
      ]
    )
  }
}

extension JSON {
  static func part(_ kind: String, _ id: String, _ members: [JSONMember?]) -> JSON {
    .members([JSONMember("part", kind), JSONMember("id", id)] + members)
  }
}

extension Link {
  var json: JSON {
    .members([JSONMember("label", label), JSONMember("address", address)])
  }
}

extension Banner {
  var json: JSON {
    .part(
      "banner", id,
      [
        JSONMember("severity", severity.rawValue), JSONMember("text", text),
        JSONMember("dismissal", ifPresent: dismissal),
      ]
    )
  }
}

extension Field {
  var json: JSON {
    var members: [JSONMember?] = [
      JSONMember("label", label),
      JSONMember("value", value),
      JSONMember("placeholder", ifPresent: placeholder),
      JSONMember("help", ifPresent: help),
      JSONMember("error", ifPresent: error),
      JSONMember("enabled", isEnabled),
      JSONMember("autofill", autofill),
    ]
    switch kind {
    case .text: members.append(JSONMember("kind", "text"))
    case .number: members.append(JSONMember("kind", "number"))
    case .email: members.append(JSONMember("kind", "email"))
    case .search: members.append(JSONMember("kind", "search"))
    case .date: members.append(JSONMember("kind", "date"))
    case .lines: members.append(JSONMember("kind", "lines"))
    case .password(let isRevealed, let reveal, let revealName):
      members += [
        JSONMember("kind", "password"), JSONMember("revealed", isRevealed),
        JSONMember("reveal", reveal), JSONMember("reveal_name", revealName),
      ]
    case .choice(let choices):
      members += [
        JSONMember("kind", "choice"), JSONMember("choices", .array(choices.map { $0.json })),
      ]
    case .code(let digits):
      members += [JSONMember("kind", "code"), JSONMember("digits", digits)]
    case .phone(let country, let picker, let change):
      members += [
        JSONMember("kind", "phone"), JSONMember("country", country.region),
        JSONMember("calling_code", country.callingCode), JSONMember("picker", picker.json),
        change.map { JSONMember("change", $0.json) },
      ]
    }
    return .part("field", id, members)
  }
}

extension ActionCard {
  var json: JSON {
    .members([
      JSONMember("id", id), JSONMember("title", title),
      JSONMember("lines", .array(lines.map { $0.json })),
      badge.map { JSONMember("badge", $0.json) },
      button.map { JSONMember("button", $0.json) },
    ])
  }
}

extension CountryPicker {
  var json: JSON {
    .members([
      JSONMember("label", label), JSONMember("search", search), JSONMember("no_results", none),
      JSONMember("close", close), JSONMember("countries", Self.countries),
    ])
  }

  /// The country list, such as `NO+47 SE+46`.
  ///
  /// It is one text, because every screen contains it.
  private static let countries: String = {
    var text = ""
    for country in Country.all {
      if !text.isEmpty { text += " " }
      text += country.region + country.callingCode
    }
    return text
  }()
}

extension Figure {
  var json: JSON {
    .members([
      JSONMember("label", label), JSONMember("value", value),
      action.map { JSONMember("action", $0.json) },
    ])
  }
}

extension Button {
  var json: JSON {
    .part(
      "button", id,
      [
        JSONMember("kind", kind.rawValue), JSONMember("label", label),
        JSONMember("enabled", isEnabled), JSONMember("busy", isBusy),
        JSONMember("reason", ifPresent: reason),
        JSONMember("symbol", ifPresent: symbol?.rawValue),
        JSONMember("item", ifPresent: item),
        explainsItself ? JSONMember("explains", true) : nil,
      ]
    )
  }
}

extension Header {
  var json: JSON {
    .members([
      JSONMember("title", place), JSONMember("organization", organization),
      JSONMember("menu", menu.json),
    ])
  }
}

extension Menu {
  var json: JSON {
    .members([
      JSONMember("id", id), JSONMember("label", label), JSONMember("full_label", fullLabel),
      JSONMember("open", isOpen), JSONMember("name", name),
      JSONMember("lines", .array(lines.map { JSON.string($0) })),
      JSONMember("items", .array(items.map { $0.json })),
    ])
  }
}

extension StatusBar {
  var json: JSON { .members([JSONMember("id", id), JSONMember("text", text.json)]) }
}

extension Section {
  var json: JSON {
    .members([
      JSONMember("id", id), JSONMember("title", title.json),
      JSONMember("rows", .array(rows.map { $0.json })), JSONMember("empty", emptyText),
      fold.map {
        JSONMember(
          "fold", .members([JSONMember("button", $0.button), JSONMember("open", $0.isOpen)]))
      },
      isNext ? JSONMember("next", true) : nil,
    ])
  }
}

extension Row {
  var json: JSON {
    .members([
      JSONMember("id", id), day.map { JSONMember("day", $0.json) },
      JSONMember("from", from.json), JSONMember("to", to.json),
      JSONMember("title", title),
      JSONMember(
        "lines",
        .array(
          lines.map { line in
            .members([
              JSONMember("symbol", line.symbol.rawValue), JSONMember("text", line.text),
            ])
          })),
      JSONMember("badge", badge.json),
      action.map { JSONMember("action", $0.json) },
    ])
  }
}

extension Badge {
  var json: JSON {
    .members([JSONMember("text", text), JSONMember("severity", severity.rawValue)])
  }
}

extension VirtualListRow {
  var json: JSON {
    .members([
      JSONMember("id", id), JSONMember("title", title), JSONMember("line", line),
      JSONMember("badge", badge.json), JSONMember("note", note.json),
      JSONMember("photo", ifPresent: photo), JSONMember("action", action.json),
    ])
  }
}

extension Detail {
  var json: JSON {
    .members([
      JSONMember("label", label), JSONMember("text", text.json),
      copy.map { JSONMember("copy", $0.json) },
    ])
  }
}

extension Detail.Copy {
  var json: JSON {
    .members([
      JSONMember("groups", .array(groups.map { JSON.string($0) })), JSONMember("label", label),
      JSONMember("full_label", fullLabel), JSONMember("done", done),
    ])
  }
}

extension RowAction {
  var json: JSON { .members([JSONMember("button", button), JSONMember("item", item)]) }
}

extension Moment {
  var json: JSON { .members([JSONMember("at", seconds), JSONMember("text", text)]) }
}

extension Phrase {
  var json: JSON {
    .array(
      pieces.map { piece in
        switch piece {
        case .words(let text): .string(text)
        case .unbroken(let text): .members([JSONMember("unbroken", text)])
        case .moment(let moment): moment.json
        case .place(let place): place.json
        }
      })
  }
}
