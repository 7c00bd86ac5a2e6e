internal import CPostgres

/// The values of one execution of a statement, in the binary format of PostgreSQL.
final class PostgresValues {
  /// The object identifiers of the types, from PostgreSQL's `pg_type.dat`.
  private static let (bytesType, numberType, textType): (Oid, Oid, Oid) = (17, 20, 25)
  private static let binary: Int32 = 1

  private(set) var types: [Oid] = []
  private var storage: [UInt8] = []
  /// The range of each value in `storage`, or `nil` for NULL.
  private var ranges: [Range<Int>?] = []

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
