public import JSONText
import SignInModel

/// One row of the policy table, which `PolicyKey.field` contains.
///
/// The configuration, the policy of an organization, the JSON of a policy, both published schemas,
/// the form in the console and the table in `docs/administration.md` follow from the rows.
public struct PolicyField: Sendable {
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

  /// What an organization may decide about the value for its members.
  public enum OrganizationChoice: Sendable {
    /// A stricter value. A weaker one has no effect.
    case stricterValue
    case anyValue
    /// Nothing: the value is for all organizations together.
    case noValue
    /// A second list. Only what is in both lists is allowed.
    case secondList
  }

  /// The values that may be written, without regard to other values.
  public let form: PolicyValue.Form
  public private(set) var unit = Unit.count
  public let stricter: Direction
  public let group: Group
  // Only the server needs these, so the web apps do not contain them.
  #if !hasFeature(Embedded)
    /// The default, or null if there is none.
    public let standard: JSON
    public private(set) var organization = OrganizationChoice.stricterValue
  #endif

  @inline(__always)
  private init(
    _ form: PolicyValue.Form, _ standard: JSON, stricter: Direction, _ group: Group
  ) {
    self.form = form
    self.stricter = stricter
    self.group = group
    #if !hasFeature(Embedded)
      self.standard = standard
    #endif
  }
}

extension PolicyField {
  @inline(__always)
  static func number(
    _ range: ClosedRange<Int64>, standard: Int64, stricter: Direction, _ group: Group
  ) -> PolicyField {
    PolicyField(.number(range), .int(standard), stricter: stricter, group)
  }

  @inline(__always)
  static func seconds(
    _ range: ClosedRange<Int64>, standard: Int64, stricter: Direction, _ group: Group
  ) -> PolicyField {
    number(range, standard: standard, stricter: stricter, group).measured(in: .seconds)
  }

  /// The words are the cases of `Word`.
  @inline(__always)
  static func choice<Word: RawRepresentable<String> & CaseIterable>(
    standard: Word, stricter: Direction, _ group: Group
  ) -> PolicyField {
    let words = Word.allCases.map { $0.rawValue }
    return PolicyField(.choice(words), .string(standard.rawValue), stricter: stricter, group)
  }

  @inline(__always)
  static func callingCodes(stricter: Direction, _ group: Group) -> PolicyField {
    PolicyField(.callingCodes, .null, stricter: stricter, group).forOrganizations(.secondList)
  }

  @inline(__always)
  static func message(_ group: Group) -> PolicyField {
    PolicyField(.message, .null, stricter: .neither, group).forOrganizations(.anyValue)
  }

  @inline(__always)
  func measured(in unit: Unit) -> PolicyField {
    var field = self
    field.unit = unit
    return field
  }

  @inline(__always)
  func forOrganizations(_ choice: OrganizationChoice) -> PolicyField {
    #if hasFeature(Embedded)
      return self
    #else
      var field = self
      field.organization = choice
      return field
    #endif
  }
}

extension PolicyKey {
  /// Whether `new` allows more than `old`.
  ///
  /// A word that is not known counts as the weakest.
  public func isWeaker(_ new: JSON, than old: JSON) -> Bool {
    let field = self.field
    switch (field.form, field.stricter) {
    case (_, .neither): return false
    case (.choice(let words), let direction):
      let ascending: [String] = direction == .less ? words.reversed() : words
      return Self.rank(new, in: ascending) < Self.rank(old, in: ascending)
    case (_, .more): return (new.number ?? 0) < (old.number ?? 0)
    case (_, .less):
      if let now = new.number { return now > (old.number ?? now) }
      guard let wanted = new.elements else { return true }
      for code in wanted where !Self.holds(code.text, in: old) { return true }
      return false
    }
  }

  private static func rank(_ word: JSON, in words: [String]) -> Int {
    for (index, known) in words.enumerated() where word.text == known { return index }
    return -1
  }

  private static func holds(_ text: String?, in list: JSON) -> Bool {
    guard let prefix = text.flatMap({ NumberPrefix($0) }) else { return false }
    for element in list.elements ?? [] {
      if let listed = element.text.flatMap({ NumberPrefix($0) }), listed.covers(prefix) {
        return true
      }
    }
    return false
  }
}
