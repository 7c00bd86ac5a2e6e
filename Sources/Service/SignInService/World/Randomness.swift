/// A source of unpredictable bytes.
public protocol Randomness: Sendable {
  func bytes(_ count: Int) -> [UInt8]
}
