import Cryptography
import JSONText
public import SignInModel
public import SignInWire

/// A program that writes or reads data for a company, defined in the configuration file.
///
/// It has no person, no session and no refresh token. It authenticates with a secret or a key and
/// gets short-lived access tokens. If it is removed from the configuration, the server accepts none
/// of its tokens after the next start.
public struct ServiceAccount: Sendable {
  /// The credential of the account: exactly one secret or key set.
  public enum Credential: Sendable {
    /// The SHA-256 digest of the secret.
    ///
    /// Secrets are random, so a fast digest is enough.
    case secret(digest: [UInt8])
    /// The keys for the account's assertions (RFC 7523).
    case keys([ServiceKey])
  }

  /// The length of a secret in bytes.
  ///
  /// A secret with fewer than 32 could be guessed.
  public static let secretByteLimits = 32...512
  /// The lifetime of an access token, in seconds.
  public static let tokenSeconds: Int64 = 300
  /// The longest lifetime of an assertion, in seconds.
  public static let assertionSeconds: Int64 = 300

  /// The OAuth `client_id`, and the `sub` of its tokens.
  public let id: ClientID
  /// The name that people see.
  public let name: String
  public let scopes: [ServiceScope]
  /// The only organization with data that the account may use; nil for all.
  public let organization: OrganizationID?
  public let credential: Credential
  /// The APIs of the company that its tokens may be for, in addition to this server (RFC 8707).
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

/// The reason why a secret or a key file is not accepted, and what to do.
///
/// `problem` is the end of a sentence that begins with the position in the configuration.
public struct ServiceCredentialMistake: Error, Equatable, Sendable {
  public let problem: String
  public let remedy: String
}

extension ServiceAccount.Credential {
  /// - Throws: A mistake if the length of the secret is not in `secretByteLimits`, or if the secret
  ///   contains a control character or a space.
  public init(secret: Secret) throws(ServiceCredentialMistake) {
    let bytes = Array(secret.revealed.utf8)
    let limits = ServiceAccount.secretByteLimits
    guard limits.contains(bytes.count) else {
      throw ServiceCredentialMistake(
        problem: "contains a secret of \(bytes.count) bytes",
        remedy: "write \(limits.lowerBound) to \(limits.upperBound) random characters, such as "
          + "the output of `openssl rand -base64 32`"
      )
    }
    guard bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
      throw ServiceCredentialMistake(
        problem: "contains a secret with a space or a control character",
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
