/// How much one JSON text may hold.
public struct JSONLimits: Equatable, Sendable {
  /// Bytes of the whole text.
  public var length: Int
  /// Arrays and objects inside one another, and the value in the innermost.
  public var depth: Int
  /// Members of one object.
  public var members: Int
  /// Values of the whole text: every element, every member, every array and object.
  public var values: Int
  /// Combining marks that follow one another in a text, or nil for any number.
  ///
  /// Comparing, hashing or searching a Swift `String` takes time that is quadratic in such a run.
  /// Text that people write has no more than 30 (Unicode Standard Annex #15, section 13).
  public var marksInARow: Int?

  public init(length: Int, depth: Int, members: Int, values: Int, marksInARow: Int? = nil) {
    self.length = length
    self.depth = depth
    self.members = members
    self.values = values
    self.marksInARow = marksInARow
  }

  /// Answers of servers, files, and what was stored: an offline copy of 10,000 products fits.
  public static let document = JSONLimits(
    length: 16 << 20, depth: 64, members: 4096, values: 1 << 20
  )

  /// The body of a request, read before anything is known about the sender.
  public static let request = JSONLimits(
    length: 64 << 10, depth: 16, members: 256, values: 4096, marksInARow: 30
  )

  /// A batch of records of another system, which is known by then.
  public static let batch = JSONLimits(
    length: 1 << 20, depth: 16, members: 256, values: 16_384, marksInARow: 30
  )

  /// The header or the claims of a token, read before its signature is checked.
  public static let token = JSONLimits(
    length: 8 << 10, depth: 4, members: 32, values: 128, marksInARow: 30
  )
}
