import SignInModel

/// The position up to which an app has read its owner's feed, as a text that only this server can
/// read and write.
///
/// The positions count the changes of all organizations, so they are sealed. A cursor is bound to
/// the account, and to the organization to which the session is limited: a session without the
/// limit reads more products, so it starts from the beginning. Old cursors are refused: records of
/// removed products are deleted after a time, so an app with an old cursor could show a product
/// that its owner no longer has.
public struct ProductCursor: Equatable, Sendable {
  static let lengthLimit = 128
  private static let version: UInt8 = 1
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
    guard let body = keyring.bytes(ofCursor: text, context: Self.context(owner, limit)),
      body.count == 1 + 2 * Self.numberBytes, body[0] == Self.version
    else { return nil }
    self.init(
      position: Self.number(body[1...Self.numberBytes]),
      writtenAt: Instant(seconds: Self.number(body[(1 + Self.numberBytes)...]))
    )
  }

  func text(of owner: AccountID, within limit: OrganizationID?, keyring: Keyring) -> String {
    var body = [Self.version]
    for number in [position, writtenAt.seconds] {
      withUnsafeBytes(of: number.bigEndian) { body += $0 }
    }
    return keyring.cursor(sealing: body, context: Self.context(owner, limit))
  }

  private static func context(_ owner: AccountID, _ limit: OrganizationID?) -> String {
    // No account has a space in its identifier.
    "products " + owner.text + (limit.map { " " + $0.text } ?? "")
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
    bytes.reduce(0) { $0 << 8 | Int64($1) }
  }
}

extension ProductFeed {
  /// The length of a cursor in characters.
  public static let cursorLengthLimit = ProductCursor.lengthLimit
}
