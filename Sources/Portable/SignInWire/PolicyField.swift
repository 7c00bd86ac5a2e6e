/// One row of the policy table: what the server and the console must know about a value.
///
/// `PolicyKey.field` is the table. The server adds the place of each value in `Policy`.
public struct PolicyField: Equatable, Sendable {
  /// The group under which the console lists a value.
  public enum Group: String, Sendable, CaseIterable {
    case accounts
    case codes
    case locks
    case origins
    case messages
    case texts
    case sessions
  }

  /// The unit of a number.
  public enum Unit: Sendable {
    case count
    case seconds
    /// Millionths of the operator's currency.
    case millionths
    case percent
  }

  /// The direction in which a value is stricter.
  public enum Direction: Sendable {
    /// A lower number, an earlier word, or fewer entries of a list.
    case less
    /// A higher number or a later word.
    case more
    case neither
  }

  /// The values that may be written, without regard to other values.
  public let form: PolicyValue.Form
  public let unit: Unit
  public let stricter: Direction
  public let group: Group

  init(
    _ form: PolicyValue.Form, _ unit: Unit = .count, stricter: Direction, _ group: Group
  ) {
    self.form = form
    self.unit = unit
    self.stricter = stricter
    self.group = group
  }

  /// Whether there is always a value.
  public var hasDefault: Bool {
    switch form {
    case .number, .choice: true
    case .callingCodes, .message: false
    }
  }

  static func number(
    _ range: ClosedRange<Int64>, _ unit: Unit = .count, stricter: Direction, _ group: Group
  ) -> PolicyField {
    PolicyField(.number(range), unit, stricter: stricter, group)
  }

  static func time(
    _ range: ClosedRange<Int64>, stricter: Direction, _ group: Group
  ) -> PolicyField {
    PolicyField(.number(range), .seconds, stricter: stricter, group)
  }

  static func choice(_ words: [String], stricter: Direction, _ group: Group) -> PolicyField {
    PolicyField(.choice(words), stricter: stricter, group)
  }
}
