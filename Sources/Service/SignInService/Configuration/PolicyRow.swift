import JSONText
import SignInWire

/// One row of the policy table: where the server has the value, and who may decide it.
///
/// The configuration, the policy of an organization, the JSON of a policy and both published
/// schemas follow from the rows.
struct PolicyRow: Sendable {
  typealias Place<Value> = any WritableKeyPath<Policy, Value> & Sendable

  /// What an organization may decide about the value for its members.
  enum OrganizationChoice: Sendable {
    /// A stricter value. A weaker one has no effect.
    case stricterValue
    case anyValue
    /// Nothing: the value is for all organizations together.
    case noValue
    /// A second list. Only what is in both lists is allowed.
    case secondList
  }

  let key: PolicyKey
  let field: PolicyField
  /// The keys of the JSON objects that contain the value, the outermost first.
  let steps: [String]
  /// Its purpose, as one sentence without a full stop.
  let help: String
  let organization: OrganizationChoice
  /// The value as JSON; null if there is none.
  let read: @Sendable (Policy) -> JSON
  /// Changes the value, unless the JSON is not a valid value.
  let write: @Sendable (JSON, inout Policy) -> Void
  /// Copies the value from the first policy to the second one.
  let copy: @Sendable (Policy, inout Policy) -> Void

  /// How a value is written as JSON.
  private struct JSONForm<Value> {
    let write: @Sendable (Value) -> JSON
    let parse: @Sendable (JSON) -> Value?
  }

  private init<Value>(
    _ key: PolicyKey, _ place: Place<Value>, _ help: String, organization: OrganizationChoice,
    _ form: JSONForm<Value>
  ) {
    self.key = key
    self.help = help
    self.organization = organization
    field = key.field
    steps = key.steps
    read = { form.write($0[keyPath: place]) }
    write = { json, policy in
      if let value = form.parse(json) { policy[keyPath: place] = value }
    }
    copy = { $1[keyPath: place] = $0[keyPath: place] }
  }

  static func number(
    _ key: PolicyKey, _ place: Place<Int64>, _ help: String,
    organization: OrganizationChoice = .stricterValue
  ) -> PolicyRow {
    let range = key.range
    return PolicyRow(
      key, place, help, organization: organization,
      JSONForm {
        .int($0)
      } parse: {
        $0.number(in: range)
      })
  }

  static func word<Word: RawRepresentable<String> & Sendable>(
    _ key: PolicyKey, _ place: Place<Word>, _ help: String
  ) -> PolicyRow {
    PolicyRow(
      key, place, help, organization: .stricterValue,
      JSONForm {
        .string($0.rawValue)
      } parse: {
        $0.text.flatMap { Word(rawValue: $0) }
      })
  }

  static func callingCodes(
    _ key: PolicyKey, _ place: Place<[String]>, _ help: String
  ) -> PolicyRow {
    PolicyRow(
      key, place, help, organization: .secondList,
      JSONForm {
        $0.isEmpty ? .null : .array($0.map { JSON.string($0) })
      } parse: {
        ($0.elements ?? []).compactMap(\.text)
      })
  }

  static func text(_ key: PolicyKey, _ help: String) -> PolicyRow {
    PolicyRow(
      key, \.texts[key], help, organization: .anyValue,
      JSONForm {
        $0.map { .string($0.text) } ?? .null
      } parse: { json in
        guard let text = json.text, TextFormat.message.problem(text) == nil else { return nil }
        return MessageTemplate(text: text)
      })
  }

  /// The row of a value.
  static func of(_ key: PolicyKey) -> PolicyRow {
    guard let row = byKey[key] else { preconditionFailure("\(key) has no row") }
    return row
  }

  private static let byKey = Dictionary(uniqueKeysWithValues: table.map { ($0.key, $0) })

  /// The default value; null if there is none.
  var standard: JSON { read(Policy()) }

  /// Null if the value, or the object that contains it, is absent.
  func value(in json: JSON) -> JSON { steps.reduce(json) { $0[$1] ?? .null } }
}

extension PolicyKey {
  /// The range of a number, without regard to other values.
  var range: ClosedRange<Int64> {
    guard case .number(let range) = field.form else { preconditionFailure("not a number") }
    return range
  }
}
