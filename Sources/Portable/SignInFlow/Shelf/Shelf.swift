/// Everything of one kind a person has, sorted and searched, of which a screen shows a window.
///
/// What is kept stays text; a thing is read from it when it comes into sight.
public struct Shelf<Item: ShelfItem>: Equatable, Sendable {
  /// Rows kept ready above the uppermost in sight, for a quick thumb.
  static var rowsAbove: Int { 20 }
  /// Rows from the uppermost in sight on: what a tall screen shows and as many again, and every row
  /// of most lists, so that they can be searched and read to the end without moving.
  static var rowsBelow: Int { 60 }
  /// More changes than this beyond twice the things themselves are too many to keep: everything is
  /// fetched anew once, and what was superseded is forgotten.
  static var supersededLimit: Int { 1000 }

  private static var fewChanges: Int { 64 }

  private(set) var parts: [ShelfPart]
  /// The newest line of everything that was ever on the shelf.
  private var lines: [ShelfLine] = []
  /// For each line, the first bytes of what it is sorted by: mostly they decide.
  private var prefixes: [UInt64] = []
  private var ids = ShelfIndex()
  /// What is on the shelf, sorted.
  private var order: [Int32] = []
  private var folded = FoldedLines()
  /// What is searched for, and what of `order` has it; nil when nothing is searched.
  private var wanted: [UInt8] = []
  private var found: [Int32]?

  init(_ parts: [ShelfPart] = []) {
    self.parts = parts
    for part in parts.indices { take(part) }
    order = []
    for (index, line) in lines.enumerated() where !line.isRemoval { order.append(Int32(index)) }
    let sorted = order.sorted { precedes($0, $1) }
    order = sorted
  }

  /// How many things are on the shelf.
  public var count: Int { order.count }

  /// How many of them are shown: all, or what the search found.
  public var shownCount: Int { (found ?? order).count }

  var isOvergrown: Bool {
    parts.reduce(0) { $0 + $1.lineCount } > 2 * count + Self.supersededLimit
  }

  public func item(_ id: String) -> Item? {
    guard let index = ids.find(Array(id.utf8), in: lines, of: parts) else { return nil }
    return item(Int32(index))
  }

  /// The rows for a screen on which `row` is the uppermost in sight, and where they begin.
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
    return Item(shelfID: part.text(from: line.start, to: line.idEnd), fields: part.fields(of: line))
  }
}

// MARK: - Changes

extension Shelf {
  /// Takes in what changed, under names that `key` makes.
  ///
  /// Small parts are joined, so that a year of small changes is still a few parts.
  mutating func apply(_ changes: ShelfPart, _ key: () -> String) {
    guard changes.lineCount > 0 else { return }
    let known = lines.count
    parts.append(changes)
    let touched = take(parts.count - 1)
    // Few changes find their places one by one; after many everything is sorted anew.
    if touched.count > Self.fewChanges {
      self = Shelf(parts).searching(wanted)
    } else {
      for index in touched where index < known {
        order.removeAll { $0 == Int32(index) }
      }
      for index in touched where !lines[index].isRemoval { insert(Int32(index)) }
      for index in touched {
        folded.change(lines[index], at: index, of: parts, fields: Item.searchedFieldCount)
      }
      search(again: true)
    }
    joinSmallParts(key)
  }

  private func searching(_ wanted: [UInt8]) -> Shelf {
    var shelf = self
    shelf.wanted = wanted
    shelf.search(again: true)
    return shelf
  }

  private mutating func insert(_ index: Int32) {
    var low = 0
    var high = order.count
    while low < high {
      let middle = (low + high) / 2
      if precedes(order[middle], index) { low = middle + 1 } else { high = middle }
    }
    order.insert(index, at: low)
  }

  /// Files the lines of one part; answers which entries they changed, each once.
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
        later.lineCount + earlier.lineCount <= ShelfPart.lineLimit
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

extension Shelf {
  private func prefix(of line: ShelfLine) -> UInt64 {
    guard !line.isRemoval else { return 0 }
    var name: [UInt8] = []
    parts[Int(line.part)].fold(line, fields: 1, into: &name)
    var prefix: UInt64 = 0
    for place in 0..<8 { prefix = prefix << 8 | (place < name.count ? UInt64(name[place]) : 0) }
    return prefix
  }

  /// By folded name, then by name as it is written, then by identifier: no two are equal.
  private func precedes(_ left: Int32, _ right: Int32) -> Bool {
    let (prefix, other) = (prefixes[Int(left)], prefixes[Int(right)])
    if prefix != other { return prefix < other }
    let (a, b) = (lines[Int(left)], lines[Int(right)])
    var names: ([UInt8], [UInt8]) = ([], [])
    parts[Int(a.part)].fold(a, fields: 1, into: &names.0)
    parts[Int(b.part)].fold(b, fields: 1, into: &names.1)
    if names.0 != names.1 { return names.0.lexicographicallyPrecedes(names.1) }
    let (first, second) = (parts[Int(a.part)].bytes, parts[Int(b.part)].bytes)
    let (fields, others) = (first[Int(a.idEnd)..<Int(a.end)], second[Int(b.idEnd)..<Int(b.end)])
    if !fields.elementsEqual(others) { return fields.lexicographicallyPrecedes(others) }
    return first[Int(a.start)..<Int(a.idEnd)]
      .lexicographicallyPrecedes(second[Int(b.start)..<Int(b.idEnd)])
  }
}

// MARK: - Search

extension Shelf {
  /// Shows only what has every word of `text` in what is searched, whatever its case and accents.
  mutating func search(_ text: String) {
    let next = FoldedText.fold(text)
    guard next != wanted else { return }
    wanted = next
    search(again: false)
  }

  private mutating func search(again isChanged: Bool) {
    let words = wanted.split(separator: 0x20)
    guard !words.isEmpty else {
      found = nil
      return
    }
    if folded.isEmpty {
      folded = FoldedLines(lines, of: parts, fields: Item.searchedFieldCount)
    }
    var found: [Int32] = []
    for index in order {
      var hasAll = true
      for word in words where hasAll { hasAll = folded.has(word, at: Int(index)) }
      if hasAll { found.append(index) }
    }
    self.found = found
  }
}

/// What is searched, made when it is first needed.
///
/// Lines that change are folded again behind the others, so that a small change costs little, until
/// what they left behind is as much as everything.
private struct FoldedLines: Equatable, Sendable {
  private var bytes: [UInt8] = []
  private var places: [Range<Int32>] = []
  private var byteLimit = 0

  init() {}

  init(_ lines: [ShelfLine], of parts: [ShelfPart], fields: Int) {
    places.reserveCapacity(lines.count)
    for line in lines { append(line, of: parts, fields: fields) }
    byteLimit = 2 * bytes.count + ShelfPart.lineLimit
  }

  private mutating func append(_ line: ShelfLine, of parts: [ShelfPart], fields: Int) {
    places.append(fold(line, of: parts, fields: fields))
  }

  private mutating func fold(
    _ line: ShelfLine, of parts: [ShelfPart], fields: Int
  ) -> Range<Int32> {
    let start = Int32(bytes.count)
    if !line.isRemoval { parts[Int(line.part)].fold(line, fields: fields, into: &bytes) }
    return start..<Int32(bytes.count)
  }

  /// Takes in a line that is new or another one now.
  mutating func change(
    _ line: ShelfLine, at index: Int, of parts: [ShelfPart], fields: Int
  ) {
    guard !isEmpty else { return }
    guard bytes.count < byteLimit else {
      self = FoldedLines()
      return
    }
    if index < places.count {
      places[index] = fold(line, of: parts, fields: fields)
    } else {
      append(line, of: parts, fields: fields)
    }
  }

  var isEmpty: Bool { places.isEmpty }

  func has(_ word: ArraySlice<UInt8>, at index: Int) -> Bool {
    let (start, end) = (Int(places[index].lowerBound), Int(places[index].upperBound))
    guard let first = word.first, end - start >= word.count else { return false }
    var at = start
    while at <= end - word.count {
      if bytes[at] == first, bytes[at..<(at + word.count)].elementsEqual(word) { return true }
      at += 1
    }
    return false
  }
}
