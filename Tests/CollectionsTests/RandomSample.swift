import Collections
import JSONText
import SignInModel

/// Random numbers, the same for the same seed (SplitMix64).
struct RandomSample: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0xD134_2543_DE82_EF95 &+ 1 }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  mutating func isOne(in times: Int) -> Bool { Int.random(in: 1...times, using: &self) == 1 }

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: elements.indices, using: &self)]
  }
}

extension Array {
  func shuffled(seed: UInt64) -> [Element] {
    var random = RandomSample(seed: seed)
    return shuffled(using: &random)
  }
}

extension RandomSample {
  private static let words = ["Ada", "Straße 7", "हीट पंप", "SN 12-34", "é", "a\r\nb", "🦊", "0"]

  /// A definition with random fields of every type, without mistakes.
  mutating func definition() -> CollectionDefinition {
    var definition = CollectionDefinition("records", title: text())
    definition.roles = isOne(in: 2) ? [] : ["owner"]
    definition.visibleTo = pick(RecordVisibility.allCases)
    definition.peopleMay = isOne(in: 2) ? [.remove] : []
    var fields = FieldType.allCases.filter { _ in !isOne(in: 4) }
    if fields.isEmpty { fields = [.text] }
    for (index, type) in fields.shuffled(using: &self).enumerated() {
      definition.fields.append(field("f\(index)", type))
    }
    if isOne(in: 2) { definition.list = definition.shownList }
    if definition.list?.title.isEmpty == true { definition.list = nil }
    return definition
  }

  private mutating func text() -> LocalizedText {
    LocalizedText(isOne(in: 2) ? [.init("en", "A"), .init("nb", "B")] : [.init("en", "A")])
  }

  private mutating func field(_ name: String, _ type: FieldType) -> FieldDefinition {
    var field = FieldDefinition(name, type)
    if isOne(in: 2) { field.title = text() }
    field.isRequired = type != .photo && isOne(in: 3)
    if isOne(in: 2) { field.changedBy = [.person] }
    field.isOffline = field.mayChange(.person) && isOne(in: 2)
    switch type {
    case .text, .lines, .place, .link: field.maxBytes = isOne(in: 2) ? 1000 : nil
    case .integer: (field.min, field.max) = (DecimalNumber(-99), DecimalNumber(99))
    case .decimal: field.decimals = Int64.random(in: 0...9, using: &self)
    case .expiry: field.warnDays = Int64.random(in: 0...60, using: &self)
    case .record: field.collection = "records"
    case .choice:
      field.values = ["new", "open", "done"].map { ChoiceValue($0, title: LocalizedText("T")) }
      for index in field.values.indices {
        field.values[index].tone = pick(ValueTone.allCases)
        if isOne(in: 2) { field.values[index].next = ["new", "open", "done"] }
      }
    default: break
    }
    if type != .photo, isOne(in: 4) { field.defaultValue = value(of: field) }
    return field
  }

  mutating func value(of field: FieldDefinition) -> FieldValue {
    switch field.type {
    case .text, .place: .text(pick(["Ada", "Straße 7", "हीट पंप", "SN 12-34", "é", "🦊"]))
    case .lines: .text(pick(["a\nb", "\n", " x ", "é"]))
    case .integer: .integer(Int64.random(in: -99...99, using: &self))
    case .decimal:
      .decimal(DecimalNumber("\(Int64.random(in: -99...99, using: &self))") ?? DecimalNumber(0))
    case .yesNo: .flag(isOne(in: 2))
    case .date, .expiry:
      .day(CalendarDay(number: Int64.random(in: -700_000...2_900_000, using: &self)))
    case .time: .time(Instant(seconds: Int64.random(in: 0...JSON.latestUnixSeconds, using: &self)))
    case .choice: .text(pick(field.values.map(\.value)))
    case .phone: .text("+4790000001")
    case .email: .text("ada@example.com")
    case .link: .text("https://example.com/")
    case .record, .photo: .text("r-1")
    }
  }

  /// JSON that can be anything, often with the names and values of the definition.
  mutating func json(for definition: CollectionDefinition) -> JSON {
    var members: [JSONMember] = []
    for field in definition.fields where !isOne(in: 3) {
      members.append(JSONMember(field.name, isOne(in: 2) ? value(of: field).json : anything()))
    }
    if isOne(in: 8) { members.append(JSONMember("other", anything())) }
    return isOne(in: 20) ? anything() : .object(members.shuffled(using: &self))
  }

  mutating func anything() -> JSON {
    switch Int.random(in: 0..<8, using: &self) {
    case 0: .null
    case 1: .bool(isOne(in: 2))
    case 2: .int(Int64.random(in: JSON.safeIntegers, using: &self))
    case 3: .decimal("\(Int64.random(in: -99...99, using: &self)).5")
    case 4: .array([.int(1)])
    case 5: .object([JSONMember("en", pick(Self.words))])
    default: .string(pick(Self.words))
    }
  }
}
