public import SignInModel

/// What a decision is about.
///
/// Decisions that share a subject never overlap. A subject includes the accounts that it belongs
/// to: a decision about a sign-in attempt never overlaps with a decision about the account of that
/// attempt. A store that runs one decision after another ignores subjects.
///
/// A decision writes only records of its subjects, records that it creates, and records without an
/// account such as counts and events. An erasure also empties answers of others.
public enum Subject: Hashable, Sendable {
  /// An account, or the digest that represents an unknown one.
  case account(AccountID)
  /// An e-mail address, and the account that has it.
  case email(EmailAddress)
  /// A phone number, and the accounts that have it.
  case number(PhoneNumber)
  /// A sign-in attempt, by the digest of its handle.
  case signInAttempt([UInt8])
  /// A sign-in attempt, by the digest of its authorization code.
  case authorizationCode([UInt8])
  /// A password reset, by the digest of its handle.
  case passwordReset([UInt8])
  case session(SessionID)
  /// A subject of an issuer, and the account that is linked to it.
  case identity(issuer: String, subject: String)
  /// A sign-in at a provider, by the digest of its `state` there.
  case providerJourney([UInt8])
  /// The sign-ins at providers that a device began, by the thumbprint of its key.
  case providerDevice(String)
  /// An assertion of a service account, by its digest.
  case assertion([UInt8])
  /// A message in the outbox, and the account of its recipient.
  case message(String)
  /// The jobs, deliveries and activities with an id in any organization, and the accounts that have
  /// them.
  case fieldRecord(String)
  /// An invitation, by its digest, and the account that it is for.
  case invitation([UInt8])
  /// The products with an id in any organization, and the accounts that have them or whose e-mail
  /// addresses they wait for.
  case product(ProductID)
  /// The changed policy of an app or an organization.
  case policy(PolicyChanges.Subject)
  /// Which accounts may do everything, because at least one must remain.
  case globalAdministrators
  /// Records that have expired, which no other decision depends on.
  case expiredRecords
  /// Everything, for rare decisions such as the removal of demo data.
  case installation
}

extension Subject {
  init(_ recipient: Recipient) {
    switch recipient {
    case .phone(let number): self = .number(number)
    case .email(let address): self = .email(address)
    }
  }
}
