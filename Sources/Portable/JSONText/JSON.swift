/// One JSON value (RFC 8259).
///
/// The members of an object keep their order, so the output is reproducible. Two texts are equal
/// only if their bytes are equal. With canonical equivalence, two different members could be equal,
/// and a comparison would take time that is quadratic in a run of combining marks.
public enum JSON: Sendable {
  case null
  case bool(Bool)
  /// A whole number in `safeIntegers`.
  ///
  /// All other numbers are a `decimal`.
  case int(Int64)
  /// The text of a number with a fraction or an exponent, or of a whole number outside
  /// `safeIntegers`.
  case decimal(String)
  case string(String)
  case array([JSON])
  case object([JSONMember])

  /// The whole numbers that every JSON parser reads exactly (RFC 7493, section 2.2).
  ///
  /// A thousand times such a number still fits into 64 bits, so seconds can be converted to
  /// milliseconds.
  public static let safeIntegers: ClosedRange<Int64> = -(1 << 53 - 1)...(1 << 53 - 1)

  /// An object with the members in this order.
  ///
  /// Members that are `nil` are omitted.
  public static func members(_ members: [JSONMember?]) -> JSON {
    var kept: [JSONMember] = []
    for member in members { if let member { kept.append(member) } }
    return .object(kept)
  }

  public subscript(_ key: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    for member in members where member.isNamed(key) { return member.value }
    return nil
  }

  public var text: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// Any whole number.
  ///
  /// For numbers from outside, use the properties of `JSON+Quantities`, which check a range.
  public var number: Int64? {
    if case .int(let number) = self { number } else { nil }
  }

  public var flag: Bool? {
    if case .bool(let flag) = self { flag } else { nil }
  }

  public var elements: [JSON]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  public var objectMembers: [JSONMember]? {
    if case .object(let members) = self { members } else { nil }
  }
}

extension JSON: Equatable {
  public static func == (left: JSON, right: JSON) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.int(let left), .int(let right)): left == right
    case (.decimal(let left), .decimal(let right)): left.equalsBytes(of: right)
    case (.string(let left), .string(let right)): left.equalsBytes(of: right)
    case (.array(let left), .array(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    case (.null, _), (.bool, _), (.int, _), (.decimal, _), (.string, _), (.array, _), (.object, _):
      false
    }
  }
}

public struct JSONMember: Equatable, Sendable {
  public let key: String
  public let value: JSON

  public init(_ key: String, _ value: JSON) {
    self.key = key
    self.value = value
  }

  public init(_ key: String, _ value: String) { self.init(key, .string(value)) }
  public init(_ key: String, _ value: Int64) { self.init(key, .int(value)) }
  public init(_ key: String, _ value: Bool) { self.init(key, .bool(value)) }

  /// A member that exists only if its value exists.
  public init?(_ key: String, ifPresent value: String?) {
    guard let value else { return nil }
    self.init(key, .string(value))
  }

  public init?(_ key: String, ifPresent value: Int64?) {
    guard let value else { return nil }
    self.init(key, .int(value))
  }

  /// Whether the member's name has exactly these bytes.
  public func isNamed(_ name: String) -> Bool { key.equalsBytes(of: name) }

  public static func == (left: JSONMember, right: JSONMember) -> Bool {
    left.isNamed(right.key) && left.value == right.value
  }
}

extension String {
  /// Whether both texts have the same bytes, in linear time.
  ///
  /// The name differs from the function of `SignInModel`, because the browser's core compiles both
  /// targets as one module.
  func equalsBytes(of other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    // Comparing the stored bytes is faster than iterating over both UTF-8 views.
    let found = utf8.withContiguousStorageIfAvailable { left in
      other.utf8.withContiguousStorageIfAvailable { right in left.elementsEqual(right) }
    }
    return (found ?? nil) ?? (Array(utf8) == Array(other.utf8))
  }
}
