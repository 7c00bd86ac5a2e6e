internal import CSQLite
internal import SignInModel

/// Binds values to the question marks of a statement, from left to right.
struct Parameters {
  enum Target {
    /// A prepared statement.
    case sqlite(OpaquePointer)
    case postgres(PostgresValues)
  }

  private let target: Target
  private var index: Int32 = 0

  init(_ target: Target) { self.target = target }

  mutating func bind(_ number: Int64?) {
    index += 1
    switch target {
    case .sqlite(let statement):
      if let number {
        expect(sqlite3_bind_int64(statement, index, number))
      } else {
        expect(sqlite3_bind_null(statement, index))
      }
    case .postgres(let values): values.append(number)
    }
  }

  mutating func bind(_ moment: Instant?) { bind(moment?.milliseconds) }

  mutating func bind(_ truth: Bool) { bind(truth ? 1 : 0) }

  mutating func bind(_ text: String?) {
    index += 1
    guard case .sqlite(let statement) = target else { return append { $0.append(text) } }
    guard var text else { return expect(sqlite3_bind_null(statement, index)) }
    let status = text.withUTF8 { bytes in
      // The bytes of an empty text may have no address. SQLite would bind that as NULL.
      sqlite3_bind_text(
        statement, index, bytes.baseAddress ?? Self.nothing, Int32(bytes.count), Self.copied)
    }
    expect(status)
  }

  mutating func bind(_ bytes: [UInt8]?) {
    index += 1
    guard case .sqlite(let statement) = target else { return append { $0.append(bytes) } }
    guard let bytes else { return expect(sqlite3_bind_null(statement, index)) }
    if bytes.isEmpty { return expect(sqlite3_bind_zeroblob(statement, index, 0)) }
    expect(sqlite3_bind_blob(statement, index, bytes, Int32(bytes.count), Self.copied))
  }

  /// Binds a list of names as one text, with spaces between the names.
  ///
  /// A name must not be empty and must not contain a space.
  mutating func bind(names: [String]) {
    precondition(
      names.allSatisfy { !$0.isEmpty && !$0.utf8.contains(0x20) },
      "a listed name must not contain a space"
    )
    bind(names.joined(separator: " "))
  }

  /// Binds a list of byte strings as one value: each has its length in one byte before it.
  ///
  /// A byte string has at most 255 bytes.
  mutating func bind(list: [[UInt8]]) {
    var bytes: [UInt8] = []
    for entry in list {
      precondition(entry.count <= 255, "a listed byte string must have at most 255 bytes")
      bytes.append(UInt8(entry.count))
      bytes.append(contentsOf: entry)
    }
    bind(bytes)
  }

  private func append(_ add: (PostgresValues) -> Void) {
    if case .postgres(let values) = target { add(values) }
  }

  private func expect(_ status: Int32) {
    precondition(status == SQLITE_OK, "the values do not match the question marks of the statement")
  }

  /// `SQLITE_TRANSIENT`, a macro that Swift cannot import.
  ///
  /// SQLite copies the bytes before the call returns.
  nonisolated(unsafe) private static let copied = unsafeBitCast(
    -1, to: sqlite3_destructor_type.self
  )

  nonisolated(unsafe) private static let nothing: UnsafePointer<UInt8> = {
    let byte = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
    byte.initialize(to: 0)
    return UnsafePointer(byte)
  }()
}
