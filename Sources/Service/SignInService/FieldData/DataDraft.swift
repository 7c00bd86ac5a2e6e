public import JSONText
import SignInModel
public import SignInWire

/// The condition that a write sets for the current state of a record.
public enum DataCondition: Equatable, Sendable {
  /// No condition.
  case none
  /// The record must not exist (`If-None-Match: *`), even if it has the same content.
  case absent
  /// The record must exist (`If-Match: *`).
  case present
  /// The record must have one of these versions (`If-Match`).
  ///
  /// Version 0 means that it must not exist.
  case versions([Int64])
}

/// A record that another system wants to write.
///
/// All its members are checked.
public struct DataDraft: Sendable {
  public let kind: DataKind
  public internal(set) var id: String
  /// The space that the draft names.
  var space: RecordName.Space
  public internal(set) var condition: DataCondition
  /// `nil` if the draft removes the record.
  let values: [String: DataValue]?

  /// A draft that removes the record.
  public static func removal(
    of name: RecordName, _ kind: DataKind, _ condition: DataCondition
  ) -> DataDraft {
    DataDraft(kind: kind, id: name.id, space: name.space, condition: condition, values: nil)
  }

  /// The record that the draft names, with its space if the draft says so.
  public var name: String {
    switch space {
    case .unnamed: id
    case .shared: RecordKey(nil, id).fullText
    case .organization(let organization): RecordKey(organization, id).fullText
    }
  }

  /// The same draft with another condition.
  public func under(_ condition: DataCondition) -> DataDraft {
    var draft = self
    draft.condition = condition
    return draft
  }

  func text(_ member: WireField) -> String? {
    if case .text(let text)? = values?[member.rawValue] { return text }
    return nil
  }

  func moment(_ member: WireField) -> Instant {
    if case .moment(let moment)? = values?[member.rawValue] { return moment }
    preconditionFailure("\(member.rawValue) must be a required moment")
  }

  func day(_ member: WireField) -> CalendarDay? {
    if case .day(let day)? = values?[member.rawValue] { return day }
    return nil
  }

  func count(_ member: WireField) -> Int64 {
    if case .count(let count)? = values?[member.rawValue] { return count }
    preconditionFailure("\(member.rawValue) must be a required number")
  }

  var account: AccountReference? {
    if case .account(let account)? = values?[WireField.account.rawValue] { return account }
    return nil
  }

  /// The record and its new account.
  var subjects: [Subject] {
    let record: Subject =
      switch kind {
      case .jobs, .deliveries, .activities: .fieldRecord(id)
      case .products: .product(ProductID(id))
      }
    switch account {
    case .id(let id): return [record, .account(id)]
    case .email(let address): return [record, .email(address)]
    case .phone(let number): return [record, .number(number)]
    case nil: return [record]
    }
  }
}

extension DataDraft {
  /// Reads a JSON object with the members of `kind.fields`.
  ///
  /// For a batch it also has `id`, `version` and `deleted`.
  ///
  /// `known` is the record in the path, whose id the object may repeat; `nil` in a batch.
  public init(
    reading json: JSON, _ kind: DataKind, _ known: RecordName?
  ) throws(Refusal) {
    var mistakes: [MemberMistake] = []
    var inputs: [(name: String, input: DataInput)] = []
    var id = known?.id
    var condition = DataCondition.none
    var isRemoval = false
    guard let members = json.objectMembers else {
      throw Refusal.mistaken([.noObject])
    }
    for member in members {
      if member.isNamed(.id) {
        let isOther = known.map { member.value.text?.hasSameBytes(as: $0.id) != true } ?? false
        if isOther { mistakes.append(.otherID) }
        id = known?.id ?? member.value.text ?? ""
      } else if member.isNamed(.version) {
        guard let version = member.value.number(in: Self.versions) else {
          mistakes.append(.version)
          continue
        }
        condition = .versions([version])
      } else if member.isNamed(.deleted), known == nil {
        guard let flag = member.value.flag else {
          mistakes.append(.deleted)
          continue
        }
        isRemoval = flag
      } else {
        inputs.append((member.key, .json(member.value)))
      }
    }
    if isRemoval {
      let organization = DataField.organization
      mistakes += inputs.filter { $0.name != organization.name }
        .map { MemberMistake.unknown($0.name) }
      let id = Self.checked(id, &mistakes)
      let input = inputs.first { $0.name == organization.name }?.input
      var named: DataValue?
      do throws(MemberMistake) { named = try organization.read(input) } catch {
        mistakes.append(error)
      }
      if !mistakes.isEmpty { throw Refusal.mistaken(mistakes) }
      var text: String?
      if case .text(let value)? = named { text = value }
      self = .removal(of: try RecordName(id, organization: text), kind, condition)
    } else {
      try self.init(kind, (id, known?.space ?? .unnamed), inputs, condition, mistakes)
    }
  }

  /// Reads one row of a table.
  ///
  /// The header row names its cells.
  public init(
    row: [(name: String, cell: String)], _ kind: DataKind
  ) throws(Refusal) {
    let cells = row.filter { $0.name != WireField.id.rawValue }.map {
      ($0.name, DataInput.cell($0.cell))
    }
    let id = row.first { $0.name == WireField.id.rawValue }?.cell
    try self.init(kind, (id, .unnamed), cells, .none, [])
  }

  /// The versions that a store gives, from 1, and 0 for "the record must not exist".
  ///
  /// Every JSON reader can represent them exactly.
  public static let versions: ClosedRange<Int64> = 0...JSON.safeIntegers.upperBound

  private init(
    _ kind: DataKind, _ name: (id: String?, space: RecordName.Space),
    _ inputs: [(name: String, input: DataInput)], _ condition: DataCondition,
    _ earlier: [MemberMistake]
  ) throws(Refusal) {
    var mistakes = earlier
    let fields = kind.fields
    for (name, _) in inputs where !fields.contains(where: { $0.name.hasSameBytes(as: name) }) {
      mistakes.append(.unknown(name))
    }
    let id = Self.checked(name.id, &mistakes)
    var values: [String: DataValue] = [:]
    for field in fields {
      let input = inputs.first { $0.name.hasSameBytes(as: field.name) }?.input
      do throws(MemberMistake) { values[field.name] = try field.read(input) } catch {
        mistakes.append(error)
      }
    }
    if case .moment(let start)? = values[WireField.startsAt.rawValue],
      case .moment(let end)? = values[WireField.endsAt.rawValue], end < start
    {
      mistakes.append(.endsBeforeStart)
    }
    var named = name.space
    if case .text(let text)? = values[WireField.organization.rawValue] {
      named = .organization(OrganizationID(text))
      if name.space != .unnamed, name.space != named { mistakes.append(.twoOrganizations) }
    }
    if !mistakes.isEmpty { throw Refusal.mistaken(mistakes) }
    self.init(kind: kind, id: id, space: named, condition: condition, values: values)
  }

  /// The identifier: 1 to 64 letters, digits, hyphens, underscores and full stops.
  private static func checked(_ id: String?, _ mistakes: inout [MemberMistake]) -> String {
    guard let id, !id.isEmpty else {
      mistakes.insert(.id("is missing"), at: 0)
      return ""
    }
    do throws(Malformed) { _ = try ProductID(parsing: id) } catch {
      mistakes.insert(.id("is malformed"), at: 0)
    }
    return id
  }
}

extension MemberMistake {
  static func id(_ problem: String) -> MemberMistake {
    MemberMistake(
      member: WireField.id.rawValue, problem: problem,
      remedy: "write 1 to \(ProductID.lengthLimit) letters, digits, \"-\", \"_\" or \".\""
    )
  }

  static let otherID = MemberMistake(
    member: WireField.id.rawValue, problem: "differs from the id in the path",
    remedy: "leave it out, or repeat the id of the path")
  static let twoOrganizations = MemberMistake(
    member: WireField.organization.rawValue, problem: "differs from that of the address",
    remedy: "name one organization")
  static let version = MemberMistake(
    member: WireField.version.rawValue, problem: "is not a version",
    remedy: "write the version the record must have, or 0 for one that must not exist")
  static let deleted = MemberMistake(
    member: WireField.deleted.rawValue, problem: "is not true or false",
    remedy: "write true, or leave it out")
  static let noObject = MemberMistake(
    member: "item", problem: "is not a JSON object", remedy: "write { … }")
  static let endsBeforeStart = MemberMistake(
    member: WireField.endsAt.rawValue, problem: "is before starts_at",
    remedy: "write a later time")

  /// The length to which an unknown name is cut in a message, in characters.
  static let shownNameLimit = 64

  static func unknown(_ name: String) -> MemberMistake {
    MemberMistake(
      member: shown(name), problem: "is not a member of this record", remedy: "remove it")
  }

  /// The name of a member in a form that is safe to repeat: short, without control characters.
  public static func shown(_ name: String) -> String {
    String(
      name.unicodeScalars.prefix(shownNameLimit).map { scalar -> Character in
        TypedText.isPlain(String(scalar)) && !TypedText.breaks.contains(scalar)
          ? Character(scalar) : "?"
      })
  }
}
