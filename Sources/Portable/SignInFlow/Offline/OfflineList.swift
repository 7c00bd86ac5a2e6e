import SignInEngine
import SignInModel

/// All items of one kind that a person has, sorted and searchable.
///
/// A screen shows a part of them.
///
/// The stored form is text. An item is read from it only when its row becomes visible.
public struct OfflineList<Item: OfflineItem>: Equatable, Sendable {
  /// Rows that are drawn above the first visible one, so that fast scrolling shows no gap.
  static var rowsAbove: Int { 20 }
  /// Rows that are drawn from the first visible one on: twice as many as a tall screen shows.
  ///
  /// Most lists are shorter, so the browser can search them, and a screen reader can read them,
  /// without scrolling.
  static var rowsBelow: Int { 60 }
  /// The most lines that may be stored beyond twice the number of items.
  ///
  /// With more lines, everything is read from the server again, and the replaced lines are dropped.
  static var supersededLimit: Int { 1000 }

  private static var fewChanges: Int { 64 }

  private(set) var parts: [ChangeLogPart]
  /// The newest line of each item that was ever in the list.
  private var lines: [ChangeLogLine] = []
  /// The first bytes of the sort key of each line.
  ///
  /// They decide most comparisons.
  private var prefixes: [UInt64] = []
  private var ids = ChangeLogIndex()
  /// The items that are in the list, sorted.
  private var order: [Int32] = []
  private var folded = FoldedLines()
  private var filter: DayFilter?
  private var named: [NamedFilter] = []
  /// What is searched for, and the items of `order` that were found; `nil` if nothing is searched
  /// and there is no filter.
  private var wanted = SearchWords("")
  private var found: [Int32]?

  init(_ parts: [ChangeLogPart] = []) {
    self.parts = parts
    for part in parts.indices { take(part) }
    order = []
    for (index, line) in lines.enumerated() where !line.isRemoval { order.append(Int32(index)) }
    order = sorted(order)
  }

  /// The number of items in the list.
  public var count: Int { order.count }

  /// The number of items that are shown: all of them, or those that the search found.
  public var shownCount: Int { (found ?? order).count }

  var needsFullSync: Bool {
    parts.reduce(0) { $0 + $1.lineCount } > 2 * count + Self.supersededLimit
  }

  public func item(_ id: String) -> Item? {
    guard let index = ids.find(Array(id.utf8), in: lines, of: parts) else { return nil }
    return item(Int32(index))
  }

  /// The items, in order, in which this field is not empty.
  func items(withField field: Int) -> [Item] {
    var found: [Item] = []
    for index in order {
      let line = lines[Int(index)]
      if !parts[Int(line.part)].field(field, of: line).isEmpty, let item = item(index) {
        found.append(item)
      }
    }
    return found
  }

  /// The rows for a screen on which `row` is the first visible one, and the number of the first
  /// row.
  public func window(at row: Int) -> (first: Int, items: [Item]) {
    let shown = found ?? order
    let row = min(max(0, row), shown.count)
    let latest = max(0, shown.count - Self.rowsAbove - Self.rowsBelow)
    let first = min(max(0, row - Self.rowsAbove), latest)
    let last = min(shown.count, row + Self.rowsBelow)
    return (first, shown[first..<last].compactMap(item))
  }

  private func item(_ index: Int32) -> Item? {
    let line = lines[Int(index)]
    guard !line.isRemoval else { return nil }
    let part = parts[Int(line.part)]
    return Item(itemID: part.text(from: line.start, to: line.idEnd), fields: part.fields(of: line))
  }
}

// MARK: - Changes

extension OfflineList {
  /// Adds changes.
  ///
  /// `key` makes the keys of joined parts.
  ///
  /// Small parts are joined, so that the small changes of a year are only a few parts.
  mutating func apply(_ changes: ChangeLogPart, _ key: () -> String) {
    guard changes.lineCount > 0 else { return }
    let known = lines.count
    parts.append(changes)
    let touched = take(parts.count - 1)
    // A few changes are inserted one by one. After many changes, everything is sorted again.
    if touched.count > Self.fewChanges {
      self = OfflineList(parts).searching(wanted, filter, named)
    } else {
      for index in touched where index < known {
        order.removeAll { $0 == Int32(index) }
      }
      for index in touched where !lines[index].isRemoval { insert(Int32(index)) }
      for index in touched {
        folded.change(lines[index], at: index, of: parts)
      }
      search(again: true)
    }
    joinSmallParts(key)
  }

  private func searching(
    _ wanted: SearchWords, _ filter: DayFilter?, _ named: [NamedFilter]
  ) -> OfflineList {
    var list = self
    (list.wanted, list.filter, list.named) = (wanted, filter, named)
    list.search(again: true)
    return list
  }

  private mutating func insert(_ index: Int32) {
    var low = 0
    var high = order.count
    while low < high {
      let middle = (low + high) / 2
      let isBefore = precedes(order[middle], index) { foldedName(of: lines[Int($0)])[...] }
      if isBefore { low = middle + 1 } else { high = middle }
    }
    order.insert(index, at: low)
  }

  /// Adds the lines of one part.
  ///
  /// Returns the entries that they changed, each once.
  @discardableResult
  private mutating func take(_ number: Int) -> [Int] {
    let part = parts[number]
    var touched: [Int] = []
    part.eachLine(of: number) { line in
      let id = part.bytes[Int(line.start)..<Int(line.idEnd)]
      if let known = ids.find(id, in: lines, of: parts) {
        lines[known] = line
        prefixes[known] = prefix(of: line)
        if touched.count <= Self.fewChanges, !touched.contains(known) { touched.append(known) }
      } else {
        ids.insert(id, lines.count, count: lines.count + 1)
        touched.append(lines.count)
        lines.append(line)
        prefixes.append(prefix(of: line))
      }
    }
    return touched
  }

  private mutating func joinSmallParts(_ key: () -> String) {
    while parts.count > 1 {
      let (earlier, later) = (parts[parts.count - 2], parts[parts.count - 1])
      guard later.lineCount * 2 > earlier.lineCount,
        later.lineCount + earlier.lineCount <= ChangeLogPart.lineLimit
      else { return }
      parts.removeLast(2)
      parts.append(earlier.joined(with: later, as: key()))
      for index in lines.indices where Int(lines[index].part) == parts.count {
        lines[index] = lines[index].moved(to: parts.count - 1, by: earlier.bytes.count)
      }
    }
  }
}

// MARK: - Order

extension OfflineList {
  private func foldedName(of line: ChangeLogLine) -> [UInt8] {
    var name: [UInt8] = []
    parts[Int(line.part)].fold(line, fields: 1, into: &name)
    return name
  }

  private func prefix(of line: ChangeLogLine) -> UInt64 {
    guard !line.isRemoval else { return 0 }
    let name = foldedName(of: line)
    var prefix: UInt64 = 0
    for place in 0..<8 { prefix = prefix << 8 | (place < name.count ? UInt64(name[place]) : 0) }
    return prefix
  }

  /// Folds each name once, because a sort compares each of them many times.
  private func sorted(_ order: [Int32]) -> [Int32] {
    var names: [UInt8] = []
    var places = [Range<Int>](repeating: 0..<0, count: lines.count)
    for index in order {
      let line = lines[Int(index)]
      let start = names.count
      parts[Int(line.part)].fold(line, fields: 1, into: &names)
      places[Int(index)] = start..<names.count
    }
    return order.sorted { precedes($0, $1) { names[places[Int($0)]] } }
  }

  /// Sorts by folded name, then by the fields as they are written, then by identifier.
  ///
  /// No two items are equal.
  private func precedes(
    _ left: Int32, _ right: Int32, _ name: (Int32) -> ArraySlice<UInt8>
  ) -> Bool {
    let (prefix, other) = (prefixes[Int(left)], prefixes[Int(right)])
    if prefix != other { return prefix < other }
    let names = (name(left), name(right))
    if names.0 != names.1 { return names.0.lexicographicallyPrecedes(names.1) }
    let (a, b) = (lines[Int(left)], lines[Int(right)])
    let (first, second) = (parts[Int(a.part)].bytes, parts[Int(b.part)].bytes)
    let (fields, others) = (first[Int(a.idEnd)..<Int(a.end)], second[Int(b.idEnd)..<Int(b.end)])
    if !fields.elementsEqual(others) { return fields.lexicographicallyPrecedes(others) }
    return first[Int(a.start)..<Int(a.idEnd)]
      .lexicographicallyPrecedes(second[Int(b.start)..<Int(b.idEnd)])
  }
}

// MARK: - Search

extension OfflineList {
  /// Shows only the items that contain every word of `text`, without regard to case and accents.
  ///
  /// A word that names a filter also finds the items that pass it.
  mutating func search(_ text: String) {
    let next = SearchWords(text)
    guard next != wanted else { return }
    wanted = next
    search(again: false)
  }

  /// Shows only the items with a day in the range, and all of them without a filter.
  mutating func show(only filter: DayFilter?, named: [NamedFilter] = []) {
    guard filter != self.filter || named != self.named else { return }
    (self.filter, self.named) = (filter, named)
    search(again: false)
  }

  private func passes(_ filter: DayFilter, _ index: Int32) -> Bool {
    let line = lines[Int(index)]
    return filter.contains(parts[Int(line.part)].field(filter.field, of: line))
  }

  private func has(_ word: [UInt8], at index: Int32) -> Bool {
    folded.has(word, at: Int(index))
      || named.contains { $0.isNamed(by: word[...]) && passes($0.filter, index) }
  }

  private func hasAll(_ search: SearchWords, at index: Int32) -> Bool {
    var hasAll = true
    for word in search.words where hasAll { hasAll = has(word, at: index) }
    return hasAll || !search.joined.isEmpty && folded.has(search.joined, at: Int(index))
  }

  private mutating func search(again isChanged: Bool) {
    guard !wanted.isEmpty || filter.isPresent else {
      found = nil
      return
    }
    if folded.isEmpty, !wanted.isEmpty {
      folded = FoldedLines(
        lines, of: parts, fields: Item.searchedFieldCount, number: Item.numberFieldIndex)
    }
    var found: [Int32] = []
    for index in order where filter.map({ passes($0, index) }) ?? true {
      if hasAll(wanted, at: index) { found.append(index) }
    }
    self.found = found
  }
}

/// The folded text that is searched (`FoldedText`), made when it is first needed.
///
/// The new text of a changed line is added at the end, so that a small change costs little. When
/// the bytes have doubled, everything is folded again.
private struct FoldedLines: Equatable, Sendable {
  private var bytes: [UInt8] = []
  private var places: [Range<Int32>] = []
  private var byteLimit = 0
  private var fields = 0
  private var number = 0

  init() {}

  /// The searched fields are the first ones, and `number` is the place of a number in them.
  init(_ lines: [ChangeLogLine], of parts: [ChangeLogPart], fields: Int, number: Int) {
    (self.fields, self.number) = (fields, number)
    places.reserveCapacity(lines.count)
    for line in lines { append(line, of: parts) }
    byteLimit = 2 * bytes.count + ChangeLogPart.lineLimit
  }

  private mutating func append(_ line: ChangeLogLine, of parts: [ChangeLogPart]) {
    places.append(fold(line, of: parts))
  }

  private mutating func fold(
    _ line: ChangeLogLine, of parts: [ChangeLogPart]
  ) -> Range<Int32> {
    let start = Int32(bytes.count)
    if !line.isRemoval {
      let part = parts[Int(line.part)]
      part.fold(line, fields: fields, into: &bytes)
      var folded: [UInt8] = []
      FoldedText.fold(part.field(number, of: line), into: &folded)
      bytes.append(0x20)
      bytes += SearchWords.join(folded)
    }
    return start..<Int32(bytes.count)
  }

  /// Adds a line that is new, or replaces one that has changed.
  mutating func change(
    _ line: ChangeLogLine, at index: Int, of parts: [ChangeLogPart]
  ) {
    guard !isEmpty else { return }
    guard bytes.count < byteLimit else {
      self = FoldedLines()
      return
    }
    if index < places.count {
      places[index] = fold(line, of: parts)
    } else {
      append(line, of: parts)
    }
  }

  var isEmpty: Bool { places.isEmpty }

  func has(_ word: [UInt8], at index: Int) -> Bool {
    bytes.contains(word[...], in: Int(places[index].lowerBound)..<Int(places[index].upperBound))
  }
}
