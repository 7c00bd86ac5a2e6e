import CSVText
import JSONText
import SignInService
import SignInWire

/// The records of an imported file, and the mistakes in it with their places.
struct ImportFile {
  enum Format: String {
    case csv
    case json

    init?(suffixOf path: String) {
      switch path.split(separator: ".").last?.lowercased() {
      case "csv": self = .csv
      case "json": self = .json
      default: return nil
      }
    }
  }

  struct Place: Comparable {
    let line: Int
    let column: Int

    static func < (left: Place, right: Place) -> Bool {
      (left.line, left.column) < (right.line, right.column)
    }
  }

  /// One record without a mistake.
  struct Entry {
    let draft: DataDraft
    let place: Place
    /// The place of each member in a table.
    ///
    /// Empty for JSON.
    let members: [String: Place]
  }

  /// The largest number of records in one file.
  static let recordLimit = 200_000
  /// The largest number of mistakes that are listed.
  ///
  /// Further ones are only counted.
  static let shownMistakes = 1000

  /// The records that were read without a mistake.
  private(set) var entries: [Entry] = []
  /// The identifiers of records that the store would refuse.
  private var refused: Set<String> = []
  private(set) var mistakeCount = 0
  private var mistakes: [(place: Place, words: String)] = []
  /// The line of each identifier.
  private var lines: [String: Int] = [:]

  init(_ bytes: [UInt8], _ kind: DataKind, _ format: Format) {
    switch format {
    case .csv: readTable(bytes, kind)
    case .json: readList(bytes, kind)
    }
  }

  /// The mistakes as `FILE:LINE:COLUMN: …`, in the order of the file.
  func complaints(named path: String) -> [String] {
    let shown = mistakes.sorted { $0.place < $1.place }.map {
      "\(path):\($0.place.line):\($0.place.column): \($0.words)"
    }
    let more = mistakeCount - shown.count
    return more > 0 ? shown + ["and \(more) more mistakes"] : shown
  }

  private mutating func note(_ words: String, at place: Place) {
    mistakeCount += 1
    if mistakes.count < Self.shownMistakes { mistakes.append((place, words)) }
  }

  private mutating func note(_ mistake: MemberMistake, at place: Place) {
    note("\(mistake.member) \(mistake.problem); \(mistake.remedy)", at: place)
  }

  /// The records that can be written.
  var drafts: [DataDraft] { entries.map(\.draft).filter { !refused.contains($0.name) } }

  /// Records that the store would refuse the entry, so that it is left out of `drafts`.
  mutating func note(_ refusal: Refusal, of entry: Entry) {
    refused.insert(entry.draft.name)
    if refusal.mistakes.isEmpty {
      note(refusal.description ?? refusal.code.rawValue, at: entry.place)
    }
    for mistake in refusal.mistakes {
      note(mistake, at: entry.members[mistake.member] ?? entry.place)
    }
  }

  private mutating func add(
    _ draft: DataDraft, at place: Place, _ members: [String: Place] = [:]
  ) {
    if let line = lines[draft.name] {
      return note("id repeats that of line \(line)", at: members[WireField.id.rawValue] ?? place)
    }
    lines[draft.name] = place.line
    entries.append(Entry(draft: draft, place: place, members: members))
  }
}

// MARK: - Tables

extension ImportFile {
  private mutating func readTable(_ bytes: [UInt8], _ kind: DataKind) {
    do throws(CSVMalformed) {
      var limits = CSVLimits.file
      limits.records = Self.recordLimit + 1
      var reader = try CSVReader(bytes, within: limits)
      guard let head = try reader.nextRow() else {
        return note("the file is empty; name the members in its first row", at: Place(1, 1))
      }
      guard readHead(head, kind) else { return }
      while let cells = try reader.nextRow() { readRow(cells, head, kind) }
    } catch {
      let (problem, remedy) = error.reason.words
      note("\(problem); \(remedy)", at: Place(error.line, error.column))
    }
  }

  /// Checks the header row: each column has a known name, each name occurs once, and all required
  /// members are there.
  private mutating func readHead(_ head: [CSVCell], _ kind: DataKind) -> Bool {
    let known = [WireField.id.rawValue] + kind.fields.map(\.name)
    var seen: Set<String> = []
    for cell in head {
      guard let other = cell.otherSeparator else { continue }
      let (problem, remedy) = other.words
      note("\(problem); \(remedy)", at: Place(cell.line, cell.column))
      return false
    }
    for cell in head {
      let name = cell.columnName
      let shown = MemberMistake.shown(name)
      if !known.contains(name) {
        note(
          "`\(shown)` is not a member of \(kind.rawValue); use "
            + known.joined(separator: ", "), at: Place(cell.line, cell.column))
      } else if !seen.insert(name).inserted {
        note("`\(shown)` appears twice; remove one", at: Place(cell.line, cell.column))
      }
    }
    let needed = [WireField.id.rawValue] + kind.fields.filter(\.isRequired).map(\.name)
    for name in needed where !seen.contains(name) {
      note("the column `\(name)` is missing; add it", at: Place(1, 1))
    }
    return mistakeCount == 0
  }

  private mutating func readRow(_ cells: [CSVCell], _ head: [CSVCell], _ kind: DataKind) {
    let place = Place(cells[0].line, cells[0].column)
    guard cells.count == head.count else {
      return note(
        "the row has \(cells.count) cells and the first row \(head.count); look for a missing"
          + " quote or comma", at: place)
    }
    var members: [String: Place] = [:]
    var row: [(name: String, cell: String)] = []
    for (title, cell) in zip(head, cells) {
      let name = title.columnName
      members[name] = Place(cell.line, cell.column)
      row.append((name, cell.text))
    }
    do throws(Refusal) {
      add(try DataDraft(row: row, kind), at: place, members)
    } catch {
      for mistake in error.mistakes { note(mistake, at: members[mistake.member] ?? place) }
    }
  }
}

// MARK: - Lists of JSON objects

extension ImportFile {
  private mutating func readList(_ bytes: [UInt8], _ kind: DataKind) {
    let bytes = FileText.withoutMark(bytes)
    var elements = JSONListReader(bytes)
    while let element = elements.next() {
      guard entries.count < Self.recordLimit else {
        return note(
          "the file has too many records; split it", at: Place(element.line, element.column))
      }
      let place = Place(element.line, element.column)
      do throws(JSONMalformed) {
        let json = try JSONReader.read(Array(bytes[element.range]), within: .request)
        do throws(Refusal) {
          add(try DataDraft(reading: json, kind, nil), at: place)
        } catch {
          for mistake in error.mistakes { note(mistake, at: place) }
        }
      } catch {
        note("the record is not JSON; look for a missing comma, quote or bracket", at: place)
      }
    }
    if let fault = elements.fault {
      note(
        "the file is not a list of JSON objects; write [ { … }, … ]",
        at: Place(fault.line, fault.column))
    }
  }
}

extension ImportFile.Place {
  fileprivate init(_ line: Int, _ column: Int) { self.init(line: line, column: column) }
}
