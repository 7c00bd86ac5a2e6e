/// A name that the server gave to one thing.
///
/// `Kind` makes names of different kinds different types.
///
/// Two identifiers are equal only if their bytes are equal. Comparing and hashing take linear time,
/// because an identifier from a request is looked up before its form is checked.
public struct Identifier<Kind>: Hashable, Sendable {
  public static var lengthLimit: Int { 64 }

  public let text: String

  public static func == (left: Identifier, right: Identifier) -> Bool {
    left.text.hasSameBytes(as: right.text)
  }

  public func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(UInt8(0xFF))
  }

  /// Accepts a text that this system wrote itself, without a check.
  public init(_ text: String) { self.text = text }

  /// Parses a text from outside: 1 to 64 letters, digits, `-`, `_` or `.`.
  public init(parsing text: String) throws(Malformed) {
    let bytes = text.utf8
    guard !bytes.isEmpty, bytes.count <= Self.lengthLimit else { throw Malformed(.identifier) }
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
        UInt8(ascii: "."):
        continue
      default: throw Malformed(.identifier)
      }
    }
    self.text = text
  }
}

public enum AccountKind: Sendable {}
public enum ClientKind: Sendable {}
public enum OrganizationKind: Sendable {}
public enum SessionKind: Sendable {}
public enum ProductKind: Sendable {}

public typealias AccountID = Identifier<AccountKind>
public typealias ClientID = Identifier<ClientKind>
public typealias OrganizationID = Identifier<OrganizationKind>
public typealias SessionID = Identifier<SessionKind>
public typealias ProductID = Identifier<ProductKind>
