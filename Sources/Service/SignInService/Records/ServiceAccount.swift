import Cryptography
import JSONText
public import SignInModel
public import SignInWire

/// A program that writes or reads data for a company, defined in the configuration file.
///
/// It has no person, no session and no refresh token. It proves who it is with a secret or a key
/// and gets access tokens of a short life; a server that starts without it in the configuration
/// takes none of its tokens.
public struct ServiceAccount: Sendable {
  /// What it proves itself with: exactly one secret or key set.
  public enum Credential: Sendable {
    /// SHA-256 of the secret; secrets are random, so that a fast digest is enough.
    case secret(digest: [UInt8])
    /// The keys whose assertions are taken (RFC 7523).
    case keys([ServiceKey])
  }

  /// Bytes of a secret: fewer than 32 could be guessed.
  public static let secretByteLimits = 32...512
  /// How long an access token lasts, in seconds.
  public static let tokenSeconds: Int64 = 300
  /// How long an assertion may last, in seconds.
  public static let assertionSeconds: Int64 = 300

  /// The OAuth `client_id`, and the `sub` of its tokens.
  public let id: ClientID
  /// How people name it.
  public let name: String
  public let scopes: [ServiceScope]
  /// The only organization whose data it may touch; nil for all.
  public let organization: OrganizationID?
  public let credential: Credential
  /// APIs of the company that its tokens may be for (RFC 8707), besides this server.
  public let audiences: [String]

  public init(
    id: ClientID, name: String, scopes: [ServiceScope], organization: OrganizationID?,
    credential: Credential, audiences: [String] = []
  ) {
    self.audiences = audiences
    self.id = id
    self.name = name
    self.scopes = scopes
    self.organization = organization
    self.credential = credential
  }
}

/// Why a secret or a key file cannot be a service account's, as the rest of a sentence that begins
/// with the place, and what to do.
public struct ServiceCredentialMistake: Error, Equatable, Sendable {
  public let problem: String
  public let remedy: String
}

extension ServiceAccount.Credential {
  /// - Throws: A mistake when the secret has fewer or more bytes than `secretByteLimits`, or a
  ///   control character or space in it.
  public init(secret: Secret) throws(ServiceCredentialMistake) {
    let bytes = Array(secret.revealed.utf8)
    let limits = ServiceAccount.secretByteLimits
    guard limits.contains(bytes.count) else {
      throw ServiceCredentialMistake(
        problem: "holds a secret of \(bytes.count) bytes",
        remedy: "write \(limits.lowerBound) to \(limits.upperBound) random characters, such as "
          + "the output of `openssl rand -base64 32`"
      )
    }
    guard bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
      throw ServiceCredentialMistake(
        problem: "holds a secret with a space or a control character",
        remedy: "write one line without spaces"
      )
    }
    self = .secret(digest: SHA256Digest.of(bytes))
  }

  /// Reads a JWK set of public keys (RFC 7517, section 5).
  public init(keySet bytes: [UInt8]) throws(ServiceCredentialMistake) {
    self = .keys(try ServiceKey.keys(in: bytes))
  }
}
