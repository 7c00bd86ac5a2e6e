public import SignInModel

/// Tells the time.
///
/// Two readings may be equal; a later reading is never earlier.
public protocol Clock: Sendable {
  func now() -> Instant
  /// Returns after this time has passed, or earlier when the task is cancelled.
  func pause(milliseconds: Int64) async
}

/// Gives bytes nobody can predict.
public protocol Randomness: Sendable {
  func bytes(_ count: Int) -> [UInt8]
}

/// Hashes passwords, slowly on purpose, in a pool with a bounded queue.
public protocol PasswordHashing: Sendable {
  /// - Throws: `.overloaded` when the queue is full; nothing was begun.
  func hash(_ password: Secret) async throws(PasswordHashingFault) -> String
  /// Whether the password is the one behind `encoded`; a hash that cannot be read never matches,
  /// and takes as long.
  func verify(_ password: Secret, against encoded: String) async throws(PasswordHashingFault)
    -> Bool
}

public enum PasswordHashingFault: Error, Equatable, Sendable {
  case overloaded(retrySeconds: Int64)
}

/// Remembers which proofs were seen, so that none is accepted twice (RFC 9449, section 11.1).
public protocol ProofLedger: Sendable {
  /// False when this identifier was already recorded and has not expired.
  func record(_ identifier: String, until expiry: Instant, now: Instant) -> Bool
}

/// Carries one text message to one phone.
public protocol TextMessenger: Sendable {
  /// The name operators gave it, for logs and metrics.
  var name: String { get }
  /// Returns once the provider has taken charge of the message, not once it has arrived.
  func send(_ message: TextMessage) async throws(TextMessengerFault)
}

public struct TextMessage: Sendable {
  /// The same for every try, so that a provider can recognise a repetition.
  public let id: String
  public let to: PhoneNumber
  public let text: Secret
  public let expiresAt: Instant

  public init(id: String, to: PhoneNumber, text: Secret, expiresAt: Instant) {
    self.id = id
    self.to = to
    self.text = text
    self.expiresAt = expiresAt
  }
}

public enum TextMessengerFault: Error, Equatable, Sendable {
  /// Trying again later may help.
  case retry(afterSeconds: Int64)
  /// This number or text will never be taken.
  case never(String)
}
