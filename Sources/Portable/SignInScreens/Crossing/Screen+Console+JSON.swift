import JSONText

extension Part {
  /// The parts that contain several items.
  func groupJSON(_ ownPart: OwnPartWriter) -> JSON {
    switch self {
    case .tabs(let id, let label, let tabs):
      return .part(
        "tabs", id, [JSONMember("label", label), JSONMember("tabs", .array(tabs.map { $0.json }))]
      )
    case .actions(let id, let buttons):
      return .part("actions", id, [JSONMember("buttons", .array(buttons.map { $0.json }))])
    case .fields(let id, let fields):
      return .part("fields", id, [JSONMember("fields", .array(fields.map { $0.json }))])
    case .split(let id, let list, let opened, let chosen):
      return .part(
        "split", id,
        [
          JSONMember("list", .array(list.map { $0.json(writing: ownPart) })),
          JSONMember("opened", .array(opened.map { $0.json(writing: ownPart) })),
          JSONMember("chosen", ifPresent: chosen),
        ]
      )
    case .mark, .title, .text, .lead, .banner, .divider, .field, .button, .note, .progress,
      .sections, .empty, .fact, .figures, .subject, .actionCards, .window, .details, .photo,
      .sheet, .toolbar, .table, .chart, .checks:
      preconditionFailure("json writes these itself")
    }
  }

  /// The parts that only the console has.
  var consoleJSON: JSON {
    switch self {
    case .table(let table): return table.json
    case .chart(let chart): return chart.json
    case .checks(let checks): return checks.json
    case .mark, .title, .text, .lead, .banner, .divider, .field, .button, .note, .progress,
      .sections, .empty, .fact, .figures, .subject, .actionCards, .window, .details, .photo,
      .sheet, .toolbar, .tabs, .actions, .fields, .split:
      preconditionFailure("the console has no such part")
    }
  }

  /// The parts that the other apps have and the console does not.
  var appJSON: JSON {
    switch self {
    case .sections(let id, let sections):
      return .part("sections", id, [JSONMember("sections", .array(sections.map { $0.json }))])
    case .window(let id, let label, let total, let first, let rows):
      return Self.window(id, label, total: total, first: first, rows)
    case .photo(let id, let digest): return .part("photo", id, [JSONMember("digest", digest)])
    case .mark, .title, .text, .lead, .banner, .divider, .field, .button, .note, .progress,
      .empty, .fact, .figures, .subject, .actionCards, .details, .sheet, .toolbar, .tabs,
      .actions, .fields, .split, .table, .chart, .checks:
      preconditionFailure("the apps have no such part")
    }
  }

  /// Writes the own parts of all homes.
  static func anyHome(_ part: Part) -> JSON {
    switch part {
    case .table, .chart, .checks: part.consoleJSON
    case .sections, .window, .photo: part.appJSON
    case .mark, .title, .text, .lead, .banner, .divider, .field, .button, .note, .progress,
      .empty, .fact, .figures, .subject, .actionCards, .details, .sheet, .toolbar, .tabs,
      .actions, .fields, .split:
      preconditionFailure("json writes these itself")
    }
  }
}

extension Chart {
  var json: JSON {
    func texts(_ list: [String]) -> JSON { .array(list.map { .string($0) }) }
    var lines: [JSON] = []
    for line in self.lines {
      lines.append(
        .members([
          JSONMember("name", line.name), JSONMember("tone", line.tone.rawValue),
          JSONMember("values", .array(line.values.map { .int($0) })),
        ]))
    }
    return .part(
      "chart", id,
      [
        JSONMember("label", label), JSONMember("lines", .array(lines)), JSONMember("top", top),
        JSONMember("top_text", topText), JSONMember("columns", texts(columns)),
        JSONMember("rows", .array(rows.map(texts))), JSONMember("table_label", tableLabel),
      ]
    )
  }
}

extension Checks {
  var json: JSON {
    .part(
      "checks", id,
      [
        JSONMember("label", label), JSONMember("button", button),
        JSONMember("checks", .array(checks.map { $0.json })),
        JSONMember("help", ifPresent: help), JSONMember("error", ifPresent: error),
      ]
    )
  }
}

extension Checks.Check {
  var json: JSON {
    .members([
      JSONMember("item", item), JSONMember("label", label), JSONMember("checked", isOn),
      JSONMember("enabled", isEnabled),
    ])
  }
}

extension Choice {
  var json: JSON { .members([JSONMember("value", value), JSONMember("name", name)]) }
}

extension TabChoice {
  var json: JSON {
    .members([
      JSONMember("item", item), JSONMember("label", label), JSONMember("button", button),
      JSONMember("current", isCurrent),
    ])
  }
}

extension Table {
  var json: JSON {
    .part(
      "table", id,
      [
        JSONMember("label", label),
        JSONMember("columns", .array(columns.map { JSON.string($0) })),
        JSONMember("rows", .array(rows.map { $0.json })),
        showsLabel ? JSONMember("label_shown", true) : nil,
        check.map { JSONMember("check", $0.json) },
      ]
    )
  }
}

extension TableRow {
  var json: JSON {
    .members([
      JSONMember("id", id),
      JSONMember("cells", .array(cells.map { $0.json })),
      JSONMember("note", ifPresent: note),
      action.map { JSONMember("action", $0.json) },
      JSONMember("current", isCurrent),
      check.map { JSONMember("check", $0.json) },
    ])
  }
}

extension RowCheck {
  var json: JSON {
    .members([
      JSONMember("label", label), JSONMember("checked", isOn), JSONMember("enabled", isEnabled),
      JSONMember("action", action.json),
    ])
  }
}

extension TableRow.Cell {
  var json: JSON {
    .members([
      JSONMember("text", text.json), JSONMember("badges", .array(badges.map { $0.json })),
      action.map { JSONMember("action", $0.json) },
    ])
  }
}
