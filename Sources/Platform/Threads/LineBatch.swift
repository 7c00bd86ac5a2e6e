/// Lines that wait until they are written together.
///
/// Waking a thread for each line costs more than writing the line. All times are milliseconds of
/// one clock that cannot be set.
struct LineBatch {
  /// How long the first line waits for others.
  static let gatheringMilliseconds: Int64 = 20
  /// The number of bytes from which the lines wait no longer.
  static let fullBytes = 64 << 10

  private var bytes: [UInt8] = []
  private var firstAt: Int64 = 0

  var byteCount: Int { bytes.count }
  var isEmpty: Bool { bytes.isEmpty }
  var isFull: Bool { bytes.count >= Self.fullBytes }

  /// Adds whole lines, with their line breaks.
  ///
  /// - Returns: Whether the writer must look at the batch again, because it has begun or is full.
  mutating func add(_ lines: [UInt8], at now: Int64) -> Bool {
    let (wasEmpty, wasFull) = (isEmpty, isFull)
    if wasEmpty { firstAt = now }
    bytes += lines
    return wasEmpty || isFull && !wasFull
  }

  /// How long the lines still wait for others; `nil` if there are none.
  func pause(at now: Int64) -> Int64? {
    guard !isEmpty else { return nil }
    return isFull ? 0 : max(0, Self.gatheringMilliseconds - (now - firstAt))
  }

  /// All lines, in the order in which they were added.
  mutating func take() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }
}
