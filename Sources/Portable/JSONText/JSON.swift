/// One JSON value (RFC 8259).
///
/// The order of an object's members is kept, so output is reproducible.
public indirect enum JSON: Equatable, Sendable {
  case null
  case bool(Bool)
  case int(Int64)
  /// A number with a fraction or an exponent, kept as its text.
  case decimal(String)
  case string(String)
  case array([JSON])
  case object([JSONMember])

  /// An object from members in reading order; members that are nil are left out.
  public static func members(_ members: [JSONMember?]) -> JSON {
    var kept: [JSONMember] = []
    for member in members { if let member { kept.append(member) } }
    return .object(kept)
  }

  public subscript(_ key: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    for member in members where member.key == key { return member.value }
    return nil
  }

  public var text: String? {
    if case .string(let text) = self { text } else { nil }
  }

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

  /// A member that exists only when its value does.
  public init?(_ key: String, ifPresent value: String?) {
    guard let value else { return nil }
    self.init(key, .string(value))
  }

  public init?(_ key: String, ifPresent value: Int64?) {
    guard let value else { return nil }
    self.init(key, .int(value))
  }
}
