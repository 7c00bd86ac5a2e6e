/// The limits of one JSON text.
public struct JSONLimits: Equatable, Sendable {
  /// Bytes of the whole text.
  public var length: Int
  /// Nested arrays and objects.
  ///
  /// The innermost value counts as one level.
  public var depth: Int
  /// Members of one object.
  public var members: Int
  /// Values of the whole text: every element, every member, every array and object.
  public var values: Int
  /// Combining marks that may follow one another in a text, or `nil` for no limit.
  ///
  /// The time to compare, hash or search a Swift `String` is quadratic in the length of such a run.
  /// Text that people write has at most 30 (Unicode Standard Annex #15, section 13).
  public var marksInARow: Int?

  /// For answers of servers, files and stored data.
  ///
  /// An offline copy of 10,000 products fits.
  public static let document = JSONLimits(
    length: 16 << 20, depth: 64, members: 4096, values: 1 << 20
  )

  /// For the body of a request from an unknown sender.
  public static let request = JSONLimits(
    length: 64 << 10, depth: 16, members: 256, values: 4096, marksInARow: 30
  )

  /// For a batch of records from another system.
  ///
  /// The server has verified the sender before.
  public static let batch = JSONLimits(
    length: 1 << 20, depth: 16, members: 256, values: 16_384, marksInARow: 30
  )

  /// For the metadata, the keys and the answers of an identity provider.
  public static let providerDocument = JSONLimits(
    length: 256 << 10, depth: 16, members: 256, values: 16_384, marksInARow: 30
  )

  /// For the header or the claims of a token, before its signature is checked.
  public static let token = JSONLimits(
    length: 8 << 10, depth: 4, members: 32, values: 128, marksInARow: 30
  )

  /// For the header or the claims of a token of an identity provider.
  ///
  /// Such a token can list some hundreds of groups and nest an address or assurance data.
  public static let identityToken = JSONLimits(
    length: 48 << 10, depth: 8, members: 128, values: 1024, marksInARow: 30
  )
}
