internal import CSQLite
internal import SignInModel

/// Fills in a statement's question marks, from left to right.
struct Parameters {
  private let statement: OpaquePointer
  private var index: Int32 = 0

  init(_ statement: OpaquePointer) { self.statement = statement }

  mutating func bind(_ number: Int64?) {
    index += 1
    if let number {
      expect(sqlite3_bind_int64(statement, index, number))
    } else {
      expect(sqlite3_bind_null(statement, index))
    }
  }

  mutating func bind(_ moment: Instant?) { bind(moment?.milliseconds) }

  mutating func bind(_ truth: Bool) { bind(truth ? 1 : 0) }

  mutating func bind(_ text: String?) {
    index += 1
    guard var text else { return expect(sqlite3_bind_null(statement, index)) }
    let status = text.withUTF8 { bytes in
      // An empty text may have no address, which would be bound as NULL.
      sqlite3_bind_text(
        statement, index, bytes.baseAddress ?? Self.nothing, Int32(bytes.count), Self.copied)
    }
    expect(status)
  }

  mutating func bind(_ bytes: [UInt8]?) {
    index += 1
    guard let bytes else { return expect(sqlite3_bind_null(statement, index)) }
    if bytes.isEmpty { return expect(sqlite3_bind_zeroblob(statement, index, 0)) }
    expect(sqlite3_bind_blob(statement, index, bytes, Int32(bytes.count), Self.copied))
  }

  /// A list of names, none of which holds a space, as one text.
  mutating func bind(names: [String]) {
    precondition(
      names.allSatisfy { !$0.isEmpty && !$0.utf8.contains(0x20) }, "a listed name has no space"
    )
    bind(names.joined(separator: " "))
  }

  /// Byte strings of at most 255 bytes as one, each after its length.
  mutating func bind(list: [[UInt8]]) {
    var bytes: [UInt8] = []
    for entry in list {
      precondition(entry.count <= 255, "a listed byte string is short")
      bytes.append(UInt8(entry.count))
      bytes.append(contentsOf: entry)
    }
    bind(bytes)
  }

  private func expect(_ status: Int32) {
    precondition(status == SQLITE_OK, "a statement has another number of question marks")
  }

  /// SQLITE_TRANSIENT, a macro that Swift does not see: SQLite copies the bytes before it returns.
  nonisolated(unsafe) private static let copied = unsafeBitCast(
    -1, to: sqlite3_destructor_type.self
  )

  nonisolated(unsafe) private static let nothing: UnsafePointer<UInt8> = {
    let byte = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
    byte.initialize(to: 0)
    return UnsafePointer(byte)
  }()
}
