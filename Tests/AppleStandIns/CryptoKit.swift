// swift-format-ignore-file

// The declarations of CryptoKit that `SignInApple` uses. They only compile and never run.

public import Foundation
public import Security

public struct SHA256Digest: Sequence {
  public func makeIterator() -> IndexingIterator<[UInt8]> { [].makeIterator() }
}

public enum SHA256 { public static func hash(data: Data) -> SHA256Digest { SHA256Digest() } }

public struct SymmetricKey: Sendable { public init(data: Data) {} }

public enum AES {
  public enum GCM {
    public struct SealedBox {
      public var combined: Data? { nil }

      public init(combined: Data) throws {}
    }

    public static func seal(
      _ message: Data, using key: SymmetricKey, authenticating data: Data
    ) throws -> SealedBox { try SealedBox(combined: message) }

    public static func open(
      _ box: SealedBox, using key: SymmetricKey, authenticating data: Data
    ) throws -> Data { Data() }
  }
}

public enum P256 {
  public enum Signing {
    public struct PublicKey: Sendable { public var x963Representation: Data { Data() } }

    public struct ECDSASignature: Sendable { public var rawRepresentation: Data { Data() } }

    public struct PrivateKey: Sendable {
      public let publicKey = PublicKey()
      public var rawRepresentation: Data { Data() }

      public init() {}
      public init(rawRepresentation: Data) throws {}

      public func signature(for data: Data) throws -> ECDSASignature { ECDSASignature() }
    }
  }
}

public enum SecureEnclave {
  public static var isAvailable: Bool { false }

  public enum P256 {
    public enum Signing {
      public struct PrivateKey: Sendable {
        public let publicKey = CryptoKit.P256.Signing.PublicKey()
        public var dataRepresentation: Data { Data() }

        public init(accessControl: SecAccessControl) throws {}
        public init(dataRepresentation: Data) throws {}

        public func signature(
          for data: Data
        ) throws -> CryptoKit.P256.Signing.ECDSASignature {
          CryptoKit.P256.Signing.ECDSASignature()
        }
      }
    }
  }
}
