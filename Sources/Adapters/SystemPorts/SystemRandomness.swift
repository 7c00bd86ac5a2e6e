import Cryptography
public import SignInService

/// The randomness of the operating system.
public struct SystemRandomness: Randomness {
  public init() {}

  public func bytes(_ count: Int) -> [UInt8] { SecureRandom.bytes(count) }
}
