import Cryptography
import SignInModel

/// The position up to which an app has read its owner's feed, as a text that only this server can
/// write.
///
/// It is bound to the account, and to the organization to which the session is limited: a session
/// without the limit reads more products, so it starts from the beginning. Old cursors are refused:
/// records of removed products are deleted after a time, so an app with an old cursor could show a
/// product that its owner no longer has.
public struct ProductCursor: Equatable, Sendable {
  static let lengthLimit = 128
  private static let version: UInt8 = 1
  private static let macBytes = 16
  private static let numberBytes = 8

  let position: Int64
  let writtenAt: Instant

  init(position: Int64, writtenAt: Instant) {
    self.position = position
    self.writtenAt = writtenAt
  }

  /// Nil if this server did not write the text, or wrote it for another account or another limit.
  init?(
    parsing text: String, of owner: AccountID, within limit: OrganizationID?, keyring: Keyring
  ) {
    guard text.utf8.count <= Self.lengthLimit else { return nil }
    let bytes: [UInt8]
    do throws(Malformed) { bytes = try Base64URL.decode(text) } catch { return nil }
    let bodyBytes = 1 + 2 * Self.numberBytes
    guard bytes.count == bodyBytes + Self.macBytes, bytes[0] == Self.version else { return nil }
    let body = Array(bytes[..<bodyBytes])
    let mac = Self.mac(of: body, owner, limit, keyring)
    guard ConstantTime.equal(Array(bytes[bodyBytes...]), mac) else { return nil }
    self.init(
      position: Self.number(body[1...Self.numberBytes]),
      writtenAt: Instant(seconds: Self.number(body[(1 + Self.numberBytes)...]))
    )
  }

  func text(of owner: AccountID, within limit: OrganizationID?, keyring: Keyring) -> String {
    var body = [Self.version]
    for number in [position, writtenAt.seconds] {
      for shift in stride(from: 56, through: 0, by: -8) {
        body.append(UInt8(truncatingIfNeeded: number >> Int64(shift)))
      }
    }
    return Base64URL.encode(body + Self.mac(of: body, owner, limit, keyring))
  }

  private static func mac(
    of body: [UInt8], _ owner: AccountID, _ limit: OrganizationID?, _ keyring: Keyring
  ) -> [UInt8] {
    // No account has a space in its identifier.
    let name = owner.text + (limit.map { " " + $0.text } ?? "")
    let text = body + Array(name.utf8)
    return Array(HMACSHA256.code(for: text, key: keyring.cursors).prefix(macBytes))
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
    bytes.reduce(0) { $0 << 8 | Int64($1) }
  }
}

extension ProductFeed {
  /// The length of a cursor in characters.
  public static let cursorLengthLimit = ProductCursor.lengthLimit
}
