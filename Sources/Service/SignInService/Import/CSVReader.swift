/// How much a CSV file may hold.
public struct CSVLimits: Equatable, Sendable {
  public var bytes: Int
  /// Besides the header.
  public var records: Int
  public var fields: Int
  /// Of one field, without its quotes.
  public var fieldBytes: Int

  public init(bytes: Int, records: Int, fields: Int, fieldBytes: Int) {
    self.bytes = bytes
    self.records = records
    self.fields = fields
    self.fieldBytes = fieldBytes
  }

  /// A file of accounts.
  public static let accounts = CSVLimits(
    bytes: 64 << 20, records: 100_000, fields: 64, fieldBytes: 4096
  )
}

/// Why bytes are not a CSV file, and where: lines and columns count from 1.
public struct CSVMalformed: Error, Equatable, Sendable {
  public enum Reason: Equatable, Sendable {
    case empty, tooLong, tooManyRecords, tooManyFields, fieldTooLong
    case notUTF8
    /// A quote inside of a field without quotes, or text behind the closing quote.
    case strayQuote
    /// The file ends inside of quotes.
    case openQuote
    /// A carriage return without a line feed behind it.
    case strayReturn
  }

  public let reason: Reason
  public let line: Int
  public let column: Int
}

/// One line of a table; a field in quotes may go over several.
public struct CSVRecord: Equatable, Sendable {
  /// Where it begins, from 1.
  public let line: Int
  public let fields: [String]
}

/// Reads the form of RFC 4180 strictly: commas, quotes doubled in quotes, CRLF or LF.
///
/// A byte order mark at the beginning is left out, as spreadsheets write one, and so are empty
/// lines. The time grows with the bytes and not faster.
public struct CSVReader {
  private let bytes: [UInt8]
  private let limits: CSVLimits
  private var at = 0
  private var line = 1
  private var fields: [String] = []

  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
  private static let comma = UInt8(ascii: ",")
  private static let quote = UInt8(ascii: "\"")
  private static let lineFeed: UInt8 = 0x0A
  private static let carriageReturn: UInt8 = 0x0D

  /// Every record, the header first.
  public static func read(
    _ bytes: [UInt8], within limits: CSVLimits
  ) throws(CSVMalformed) -> [CSVRecord] {
    guard bytes.count <= limits.bytes else {
      throw CSVMalformed(reason: .tooLong, line: 1, column: 1)
    }
    var reader = CSVReader(bytes: bytes, limits: limits)
    var records: [CSVRecord] = []
    while let record = try reader.next() {
      guard records.count <= limits.records else {
        throw CSVMalformed(reason: .tooManyRecords, line: record.line, column: 1)
      }
      records.append(record)
    }
    guard !records.isEmpty else { throw CSVMalformed(reason: .empty, line: 1, column: 1) }
    return records
  }

  private init(bytes: [UInt8], limits: CSVLimits) {
    self.bytes = bytes
    self.limits = limits
    at = bytes.starts(with: Self.mark) ? Self.mark.count : 0
  }

  private func fault(_ reason: CSVMalformed.Reason) -> CSVMalformed {
    CSVMalformed(reason: reason, line: line, column: fields.count + 1)
  }

  private mutating func next() throws(CSVMalformed) -> CSVRecord? {
    while at < bytes.count, try endsLine() { line += 1 }
    guard at < bytes.count else { return nil }
    let first = line
    fields = []
    while true {
      guard fields.count < limits.fields else { throw fault(.tooManyFields) }
      fields.append(try field())
      if at == bytes.count { break }
      if try endsLine() {
        line += 1
        break
      }
      // What ends a field otherwise is a comma.
      at += 1
    }
    return CSVRecord(line: first, fields: fields)
  }

  /// Goes past the end of a line, if there is one here.
  private mutating func endsLine() throws(CSVMalformed) -> Bool {
    switch bytes[at] {
    case Self.lineFeed: at += 1
    case Self.carriageReturn:
      guard at + 1 < bytes.count, bytes[at + 1] == Self.lineFeed else {
        throw fault(.strayReturn)
      }
      at += 2
    default: return false
    }
    return true
  }

  private mutating func field() throws(CSVMalformed) -> String {
    if at < bytes.count, bytes[at] == Self.quote { return try quotedField() }
    let start = at
    while at < bytes.count {
      switch bytes[at] {
      case Self.comma, Self.lineFeed, Self.carriageReturn: return try text(bytes[start..<at])
      case Self.quote: throw fault(.strayQuote)
      default: at += 1
      }
    }
    return try text(bytes[start..<at])
  }

  private mutating func quotedField() throws(CSVMalformed) -> String {
    at += 1
    var content: [UInt8] = []
    while at < bytes.count {
      let byte = bytes[at]
      at += 1
      if byte == Self.quote {
        guard at < bytes.count, bytes[at] == Self.quote else { return try closed(content) }
        at += 1
      }
      if byte == Self.lineFeed { line += 1 }
      guard content.count < limits.fieldBytes else { throw fault(.fieldTooLong) }
      content.append(byte)
    }
    throw fault(.openQuote)
  }

  /// The field after its closing quote was read: a comma, the end of the line or of the file
  /// follows.
  private func closed(_ content: [UInt8]) throws(CSVMalformed) -> String {
    if at < bytes.count {
      switch bytes[at] {
      case Self.comma, Self.lineFeed, Self.carriageReturn: break
      default: throw fault(.strayQuote)
      }
    }
    return try text(content[...])
  }

  private func text(_ content: ArraySlice<UInt8>) throws(CSVMalformed) -> String {
    guard content.count <= limits.fieldBytes else { throw fault(.fieldTooLong) }
    guard let text = String(validating: content, as: UTF8.self) else { throw fault(.notUTF8) }
    return text
  }
}
