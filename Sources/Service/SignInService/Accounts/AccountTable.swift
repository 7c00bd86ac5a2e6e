import CSVText
import Cryptography
public import SignInModel
import SignInWire

/// A mistake in a file of accounts.
public struct ImportMistake: Equatable, Sendable {
  /// The line number, from 1.
  ///
  /// For a field with several lines, it is the first line.
  public let line: Int
  /// The number of the field, from 1; `nil` for the whole line.
  public let column: Int?
  /// The name of the column, if it has one.
  public let name: String?
  /// What is wrong and how to correct it.
  ///
  /// Of the file's values it contains only the identifiers of organizations.
  public let problem: String
  /// Whether the account exists already, so that an import can leave it out.
  public let isExisting: Bool

  init(
    line: Int, column: Int? = nil, name: String? = nil, _ problem: String, isExisting: Bool = false
  ) {
    self.line = line
    self.column = column
    self.name = name
    self.problem = problem
    self.isExisting = isExisting
  }
}

/// A valid account of a file.
public struct ImportedAccount: Sendable {
  public let line: Int
  public let creation: AccountCreation
  /// The hash of a password from another system; `nil` for a person without a password.
  public let passwordHash: String?
}

/// The columns of a file of accounts.
///
/// The header has their names.
public enum AccountColumn: String, CaseIterable, Sendable {
  case name
  case role
  case email
  case phoneNumber = "phone_number"
  /// Identifiers with spaces between them.
  case organizations
  /// The permissions of an administrator, such as `viewer` or `support:north`, with spaces between
  /// them.
  case permissions
  /// An Argon2id or bcrypt hash in its usual text form.
  case passwordHash = "password_hash"
  /// Only in a saved list of accounts; only active accounts can be imported.
  case status
  /// Only in a saved list of accounts; not read.
  case id
  case lockedUntil = "locked_until"
  case createdAt = "created_at"

  static let needed: [AccountColumn] = [.name, .role]

  /// The columns that an operator writes.
  static let written = allCases.filter { ![.status, .id, .lockedUntil, .createdAt].contains($0) }
}

/// The valid accounts of a file, and all mistakes in it.
public struct AccountTable: Sendable {
  public private(set) var accounts: [ImportedAccount] = []
  public private(set) var mistakes: [ImportMistake] = []

  /// Reads the whole file.
  ///
  /// `organizations` are the configured ones.
  ///
  /// It does not look into the store. `checkImport` compares the accounts with the store.
  public init(csv bytes: [UInt8], organizations: [OrganizationID]) {
    var records: [CSVRecord] = []
    do throws(CSVMalformed) {
      var reader = try CSVReader(bytes, within: .accounts)
      while let cells = try reader.nextRow() { records.append(CSVRecord(cells)) }
    } catch {
      mistakes = [ImportMistake(line: error.line, error.problem)]
      return
    }
    guard let header = records.first else {
      mistakes = [ImportMistake(line: 1, "the file is empty")]
      return
    }
    guard let columns = columns(of: header) else { return }
    var seen = EarlierAddresses()
    var isNoOrganizationKnown = false
    for record in records.dropFirst() {
      guard record.fields.count == header.fields.count else {
        mistakes.append(
          ImportMistake(
            line: record.line,
            "the line has \(record.fields.count) fields, the header \(header.fields.count)"))
        continue
      }
      var row = AccountRow(record, columns, organizations)
      row.isNoOrganizationKnown = isNoOrganizationKnown
      row.read()
      row.compare(with: &seen)
      isNoOrganizationKnown = row.isNoOrganizationKnown
      mistakes += row.mistakes
      if let account = row.account { accounts.append(account) }
    }
    if records.count == 1 {
      mistakes.append(ImportMistake(line: header.line, "there is no account below the header"))
    }
  }

  /// The index of each column; `nil` if the header has mistakes.
  private mutating func columns(of header: CSVRecord) -> [AccountColumn: Int]? {
    var columns: [AccountColumn: Int] = [:]
    let known = AccountColumn.written.map(\.rawValue).joined(separator: ", ")
    for (index, title) in header.fields.enumerated() {
      if let (problem, remedy) = CSVCell.otherSeparator(in: title)?.words {
        mistakes = [ImportMistake(line: header.line, column: index + 1, "\(problem); \(remedy)")]
        return nil
      }
      let name = CSVCell.columnName(of: title)
      guard let column = AccountColumn(rawValue: name) else {
        mistakes.append(
          ImportMistake(
            line: header.line, column: index + 1, "there is no such column; there are \(known)"))
        continue
      }
      if columns.updateValue(index, forKey: column) != nil {
        mistakes.append(
          ImportMistake(
            line: header.line, column: index + 1, name: name, "the column is there twice"))
      }
    }
    for column in AccountColumn.needed where columns[column] == nil && mistakes.isEmpty {
      mistakes.append(
        ImportMistake(line: header.line, name: column.rawValue, "the column is missing"))
    }
    return mistakes.isEmpty ? columns : nil
  }
}

/// One record of the file.
///
/// It has several lines if a quoted field has line ends.
private struct CSVRecord {
  /// The number of its first line, from 1.
  let line: Int
  let fields: [String]

  init(_ cells: [CSVCell]) {
    line = cells.first?.line ?? 1
    fields = cells.map { CSVWriter.content(of: $0.text) }
  }
}

extension CSVLimits {
  /// A file of accounts: a header and 100,000 accounts.
  static let accounts = CSVLimits(
    length: 64 << 20, records: 100_001, cells: 64, cellLength: 4096
  )
}

extension CSVMalformed {
  fileprivate var problem: String {
    let what =
      switch reason {
      case .tooLong: "the file is longer than \(CSVLimits.accounts.length >> 20) MiB"
      case .tooManyRecords: "the file has more than \(CSVLimits.accounts.records - 1) accounts"
      case .tooManyCells: "the line has more than \(CSVLimits.accounts.cells) fields"
      case .cellTooLong: "the field is longer than \(CSVLimits.accounts.cellLength) bytes"
      case .notUTF8: "the field is not UTF-8: save the file as CSV UTF-8"
      case .strayQuote, .textAfterQuote: "a quote must be doubled, in a field that is in quotes"
      case .semicolons: "the first row has semicolons; write commas between the columns"
      case .tabs: "the first row has tabs; write commas between the columns"
      case .openQuote: "the quotes are never closed"
      case .strayReturn: "a line must end with a line feed"
      case .zeroByte: "the field contains the byte zero"
      }
    return "at byte \(column) of the line: \(what)"
  }
}

/// The addresses and numbers of the lines above, with their line numbers.
private struct EarlierAddresses {
  var emails: [String: Int] = [:]
  var numbers: [String: Int] = [:]
}

/// One account in the file.
private struct AccountRow {
  let record: CSVRecord
  let columns: [AccountColumn: Int]
  let configured: [OrganizationID]
  var mistakes: [ImportMistake] = []

  /// Whether a mistake already says that no organization is configured.
  var isNoOrganizationKnown = false

  private var name: PersonName?
  private var role: AccountRole?
  private var email: EmailAddress?
  private var phone: PhoneNumber?
  private var organizations: [OrganizationID] = []
  private var permission: Permission?
  private var hash: String?

  init(
    _ record: CSVRecord, _ columns: [AccountColumn: Int], _ configured: [OrganizationID]
  ) {
    self.record = record
    self.columns = columns
    self.configured = configured
  }

  /// `nil` if the line has a mistake.
  var account: ImportedAccount? {
    guard mistakes.isEmpty, let name, let role else { return nil }
    return ImportedAccount(
      line: record.line,
      creation: AccountCreation(
        name: name, role: role, email: email, phone: phone, password: nil,
        organizations: organizations, permission: permission
      ), passwordHash: hash
    )
  }

  mutating func read() {
    name = value(
      .name, "1 to \(PersonName.lengthLimit) characters without control characters",
      PersonName.init(written:)
    )
    let roles = AccountRole.allCases.map(\.rawValue).joined(separator: ", ")
    role = word(.role, "one of \(roles)") { AccountRole(rawValue: $0) }
    email = value(.email, "an address as name@example.com", EmailAddress.init(parsing:))
    phone = value(.phoneNumber, "a number as +4790000001", PhoneNumber.init(parsing:))
    for text in words(.organizations) {
      let organization = configured.first { $0.text.hasSameBytes(as: text) }
      if let organization, !organizations.contains(organization) {
        organizations.append(organization)
      } else if organization == nil {
        noteUnknown(text, .organizations)
      }
    }
    readPermission()
    hash = word(
      .passwordHash,
      "an Argon2id hash of at most \(PasswordHashKind.kibibytes.upperBound) KiB,"
        + " \(PasswordHashKind.passes.upperBound) passes and one lane, or a bcrypt hash of cost 4"
        + " to 12"
    ) { PasswordHashKind(of: $0) == nil ? nil : $0 }
    if !text(.status).isEmpty, text(.status) != AccountStatus.active.rawValue {
      note(.status, "only active accounts can be imported; remove the line")
    }
    for column in AccountColumn.needed where text(column).isEmpty { note(column, "it is needed") }
    guard let role else { return }
    if role != .rider, text(.email).isEmpty { note(.email, "it is needed for this role") }
    if role == .rider, text(.phoneNumber).isEmpty { note(.phoneNumber, "it is needed for a rider") }
    if role == .rider, hash != nil { note(.passwordHash, "a rider has no password") }
  }

  private mutating func readPermission() {
    let written = words(.permissions)
    if role == .administrator, written.isEmpty {
      note(.permissions, "it is needed for an administrator")
    }
    guard !written.isEmpty, let role else { return }
    guard role == .administrator else {
      return note(.permissions, "only an administrator has permissions")
    }
    guard written.count <= Permission.grantLimit, let read = Permission(words: written) else {
      return note(.permissions, "write viewer, support or administrator, or support:north")
    }
    let unknown = read.organizations.keys.filter { !configured.contains($0) }.map(\.text).sorted()
    for text in unknown { noteUnknown(text, .permissions) }
    if unknown.isEmpty { permission = read }
  }

  /// Notes an organization that is not configured.
  ///
  /// If no organization is configured at all, one mistake of the file says so.
  private mutating func noteUnknown(_ organization: String, _ column: AccountColumn) {
    guard !configured.isEmpty else {
      if !isNoOrganizationKnown {
        note(column, "no organization is configured; name the configuration with --config")
      }
      isNoOrganizationKnown = true
      return
    }
    let known = configured.map(\.text).joined(separator: ", ")
    let unknown = MemberMistake.shown(organization)
    note(column, "the organization `\(unknown)` is not configured; configured: \(known)")
  }

  /// Notes a mistake if an earlier line has the same address or number.
  mutating func compare(with seen: inout EarlierAddresses) {
    if let email {
      if let line = seen.emails.updateValue(record.line, forKey: email.text) {
        note(.email, "line \(line) has this address too")
      }
    }
    if let phone, let role {
      let key = "\(role.rawValue) \(phone.e164)"
      if let line = seen.numbers.updateValue(record.line, forKey: key) {
        note(.phoneNumber, "line \(line) has this number for the same role")
      }
    }
  }

  private func text(_ column: AccountColumn) -> String {
    guard let index = columns[column] else { return "" }
    let text = record.fields[index]
    return TypedText.isBlank(text) ? "" : text
  }

  private func words(_ column: AccountColumn) -> [String] {
    text(column).utf8.split(separator: 0x20).compactMap { String($0) }
  }

  private mutating func note(_ column: AccountColumn, _ problem: String) {
    mistakes.append(
      ImportMistake(
        line: record.line, column: columns[column].map { $0 + 1 }, name: column.rawValue, problem))
  }

  /// The parsed value; `nil` for an empty text.
  ///
  /// A text that cannot be parsed gives `nil` and a mistake.
  private mutating func value<Value>(
    _ column: AccountColumn, _ right: String, _ parse: (String) throws(Malformed) -> Value
  ) -> Value? {
    let text = text(column)
    guard !text.isEmpty else { return nil }
    do throws(Malformed) { return try parse(text) } catch {
      note(
        column,
        error.value == .phoneZero
          ? "the number \(PhoneNumber.zeroProblem); \(PhoneNumber.zeroRemedy)" : "write \(right)")
      return nil
    }
  }

  private mutating func word<Value>(
    _ column: AccountColumn, _ right: String, _ read: (String) -> Value?
  ) -> Value? {
    let text = text(column)
    guard !text.isEmpty else { return nil }
    let value = read(text)
    if value == nil { note(column, "write \(right)") }
    return value
  }
}
