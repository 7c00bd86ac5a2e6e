internal import CPostgres

/// The values of one execution of a statement, in the binary format of PostgreSQL.
final class PostgresValues {
  /// The object identifiers of the types, from PostgreSQL's `pg_type.dat`.
  private static let (bytesType, numberType, textType): (Oid, Oid, Oid) = (17, 20, 25)
  /// The types of lists of these values.
  private static let listTypes: [Oid: Oid] = [bytesType: 1001, numberType: 1016, textType: 1009]
  private static let binary: Int32 = 1

  private(set) var types: [Oid] = []
  private var storage: [UInt8] = []
  /// The range of each value in `storage`, or `nil` for NULL.
  private var ranges: [Range<Int>?] = []

  init() {}

  /// The values of several rows: for each column a list, in the order of the rows.
  init(columnsOf rows: [PostgresValues]) {
    for (column, type) in (rows.first?.types ?? []).enumerated() {
      guard let listType = Self.listTypes[type] else {
        preconditionFailure("a list of values of the type \(type)")
      }
      types.append(listType)
      appendValue(Self.list(rows.map { $0.bytes(at: column) }, of: type))
    }
  }

  /// The binary format of an array with one dimension (`array_recv` of PostgreSQL).
  private static func list(_ values: [ArraySlice<UInt8>?], of type: Oid) -> [UInt8] {
    let hasNull: Int32 = values.contains { $0 == nil } ? 1 : 0
    let (dimensions, firstIndex): (Int32, Int32) = (1, 1)
    var list: [UInt8] = []
    func append(_ number: Int32) {
      withUnsafeBytes(of: number.bigEndian) { list.append(contentsOf: $0) }
    }
    for number in [
      dimensions, hasNull, Int32(bitPattern: type), Int32(values.count), firstIndex,
    ] { append(number) }
    for value in values {
      append(value.map { Int32($0.count) } ?? -1)
      list.append(contentsOf: value ?? [])
    }
    return list
  }

  var count: Int32 { Int32(types.count) }

  /// The bytes of a value, or `nil` for NULL.
  func bytes(at index: Int) -> ArraySlice<UInt8>? { ranges[index].map { storage[$0] } }

  func append(_ number: Int64?) {
    types.append(Self.numberType)
    guard let number else { return ranges.append(nil) }
    withUnsafeBytes(of: number.bigEndian) { appendValue($0) }
  }

  func append(_ text: String?) {
    types.append(Self.textType)
    guard let text else { return ranges.append(nil) }
    var stored = PostgresText.stored(text)
    stored.withUTF8 { appendValue($0) }
  }

  func append(_ bytes: [UInt8]?) {
    types.append(Self.bytesType)
    guard let bytes else { return ranges.append(nil) }
    appendValue(bytes)
  }

  private func appendValue(_ bytes: some Collection<UInt8>) {
    ranges.append(storage.count..<(storage.count + bytes.count))
    storage.append(contentsOf: bytes)
    // libpq takes a pointer without a byte for NULL, so an empty value needs one byte, too.
    storage.append(0)
  }

  /// Calls `body` with the addresses, lengths and formats of the values.
  func withPointers<Answer>(
    _ body: ([UnsafePointer<CChar>?], [Int32], [Int32]) -> Answer
  ) -> Answer {
    storage.withUnsafeBytes { bytes in
      let start = bytes.bindMemory(to: CChar.self).baseAddress
      let addresses = ranges.map { range in range.flatMap { start?.advanced(by: $0.lowerBound) } }
      let lengths = ranges.map { Int32($0?.count ?? 0) }
      return body(addresses, lengths, Array(repeating: Self.binary, count: ranges.count))
    }
  }
}
