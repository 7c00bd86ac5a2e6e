internal import CSQLite
internal import SignInModel
internal import SignInService

/// Reads the columns of one row, from left to right.
struct Row {
  /// The row of a result.
  enum Source {
    /// The current row of a statement.
    case sqlite(OpaquePointer)
    case postgres(PostgresRow)
  }

  private let source: Source
  private var index: Int32 = -1

  init(_ source: Source) { self.source = source }

  /// Numbers are limited to this range, so that their sums and products do not overflow (L-36).
  ///
  /// Another program may have written any number into the database.
  static let numbers: ClosedRange<Int64> = -(1 << 53)...1 << 53

  mutating func number() -> Int64 {
    index += 1
    return switch source {
    case .sqlite(let statement):
      sqlite3_column_int64(statement, index).clamped(to: Self.numbers)
    case .postgres(let row): row.number(at: index).clamped(to: Self.numbers)
    }
  }

  mutating func numberIfAny() -> Int64? {
    let number = number()
    return isNull ? nil : number
  }

  mutating func truth() -> Bool { number() != 0 }

  mutating func moment() -> Instant { Instant(milliseconds: number()) }

  mutating func momentIfAny() -> Instant? {
    let milliseconds = number()
    return isNull ? nil : Instant(milliseconds: milliseconds)
  }

  mutating func dayIfAny() -> CalendarDay? {
    let day = number()
    return isNull ? nil : CalendarDay(number: day)
  }

  mutating func text() -> String {
    index += 1
    switch source {
    case .sqlite(let statement):
      guard let start = sqlite3_column_text(statement, index) else { return "" }
      let count = Int(sqlite3_column_bytes(statement, index))
      return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    case .postgres(let row): return PostgresText.read(row.bytes(at: index))
    }
  }

  mutating func textIfAny() -> String? {
    let text = text()
    return isNull ? nil : text
  }

  mutating func bytes() -> [UInt8] {
    index += 1
    switch source {
    case .sqlite(let statement):
      guard let start = sqlite3_column_blob(statement, index) else { return [] }
      let count = Int(sqlite3_column_bytes(statement, index))
      return Array(UnsafeRawBufferPointer(start: start, count: count))
    case .postgres(let row): return Array(row.bytes(at: index))
    }
  }

  mutating func byteList() throws(StoreFault) -> [[UInt8]] {
    var rest = bytes()[...]
    var list: [[UInt8]] = []
    while let count = rest.popFirst() {
      guard rest.count >= count else { throw unreadable() }
      list.append(Array(rest.prefix(Int(count))))
      rest.removeFirst(Int(count))
    }
    return list
  }

  mutating func names() -> [String] { text().split(separator: " ").map(String.init) }

  mutating func identifier<Kind>() -> Identifier<Kind> { Identifier(text()) }

  mutating func identifierIfAny<Kind>() -> Identifier<Kind>? { textIfAny().map { Identifier($0) } }

  mutating func phoneIfAny() throws(StoreFault) -> PhoneNumber? {
    guard let text = textIfAny() else { return nil }
    do throws(Malformed) { return try PhoneNumber(stored: text) } catch { throw unreadable() }
  }

  mutating func recipient() throws(StoreFault) -> Recipient {
    do throws(Malformed) { return try Recipient(stored: text()) } catch { throw unreadable() }
  }

  mutating func emailIfAny() throws(StoreFault) -> EmailAddress? {
    guard let text = textIfAny() else { return nil }
    do throws(Malformed) { return try EmailAddress(stored: text) } catch { throw unreadable() }
  }

  mutating func recipientIfAny() throws(StoreFault) -> Recipient? {
    guard let text = textIfAny() else { return nil }
    do throws(Malformed) { return try Recipient(parsing: text) } catch { throw unreadable() }
  }

  mutating func permission() throws(StoreFault) -> Permission {
    guard let permission = Permission(words: names()) else { throw unreadable() }
    return permission
  }

  /// One word of a closed list.
  mutating func word<Word: RawRepresentable<String>>() throws(StoreFault) -> Word {
    guard let word = Word(rawValue: text()) else { throw unreadable() }
    return word
  }

  mutating func wordIfAny<Word: RawRepresentable<String>>() throws(StoreFault) -> Word? {
    guard let text = textIfAny() else { return nil }
    guard let word = Word(rawValue: text) else { throw unreadable() }
    return word
  }

  /// The fault for a value that this program does not write.
  ///
  /// Another program or a newer version wrote it.
  func unreadable() -> StoreFault {
    let column =
      switch source {
      case .sqlite(let statement):
        sqlite3_column_name(statement, index).map { String(cString: $0) } ?? "?"
      case .postgres(let row): row.columnName(at: index)
      }
    return .unusable(
      "column `\(column)` has content that this program cannot read: restore a backup")
  }

  var isNull: Bool {
    switch source {
    case .sqlite(let statement): sqlite3_column_type(statement, index) == SQLITE_NULL
    case .postgres(let row): row.isNull(at: index)
    }
  }
}
