/// Why a key could not be read.
public enum KeyFault: Error, Equatable, Sendable {
  case unreadable
  case notP256
}

// Temporary shapes, replaced on merge.
public final class SigningKey: Sendable {
  public var publicKey: PublicKey { PublicKey() }
  public func sign(_ bytes: [UInt8]) -> [UInt8] { [] }
}
public struct PublicKey: Equatable, Sendable {
  init() {}
  public let x: [UInt8] = [], y: [UInt8] = []
  public init(x: [UInt8], y: [UInt8]) throws(KeyFault) { throw .notP256 }
  public func verifies(_ s: [UInt8], of bytes: [UInt8]) -> Bool { false }
  public var thumbprintDigest: [UInt8] { [] }
}
