import Cryptography
import SignInModel
public import SignInWire

/// The limits of importing accounts.
public enum ImportLimits {
  /// The accounts of one transaction.
  ///
  /// Between two transactions, a running server can answer requests.
  public static let batch = 250
}

/// The options of an import.
public struct ImportTerms: Sendable {
  /// Whether existing accounts are skipped instead of being a mistake.
  ///
  /// An account exists if its e-mail address is used, or its phone number within the role. With
  /// this option the same file can be imported again after a failure.
  public var skipsExisting = false
  /// Nil sends no invitations.
  ///
  /// Otherwise every account without a password that can be invited gets one.
  public var invitation: InvitationDelivery?

  public init() {}
}

/// The result of an import.
public struct ImportSummary: Equatable, Sendable {
  public var created = 0
  /// Accounts that were skipped, because the address or the number exists already.
  public var skipped = 0
  public var invited = 0
  /// Accounts that could not be invited, because no app of their role has passwords, or because
  /// they have no e-mail address or no phone number.
  public var notInvited = 0

  public init() {}
}

/// The mistakes that only the store can find: existing addresses and numbers, and too many kinds of
/// hashes.
public func checkImport(
  _ accounts: [ImportedAccount], _ terms: ImportTerms, in world: World
) async throws(Refusal) -> [ImportMistake] {
  try await world.read { (transaction: any AccountRecords & PasswordHashKindRecords) throws in
    var mistakes: [ImportMistake] = []
    for account in accounts where !terms.skipsExisting {
      if let taken = try account.taken(transaction) { mistakes.append(taken) }
    }
    var kinds = try transaction.passwordHashKinds()
    for account in accounts {
      guard let kind = account.kind, kind != .current else { continue }
      kinds.insert(kind)
      if kinds.count > PasswordHashKind.storedLimit {
        mistakes.append(
          ImportMistake(
            line: account.line, name: AccountColumn.passwordHash.rawValue,
            "at most \(PasswordHashKind.storedLimit) kinds of hashes can be stored: each makes"
              + " every sign-in slower"))
        break
      }
    }
    return mistakes
  }
}

/// Creates active accounts, each with its own event (T-16).
///
/// Accounts are written in batches. After a failure, complete batches are stored, and a repetition
/// with `skipsExisting` continues from there.
public func importAccounts(
  _ accounts: [ImportedAccount], _ terms: ImportTerms, rules: AccountEditingRules, in world: World
) async throws(Refusal) -> ImportSummary {
  var summary = ImportSummary()
  var rest = accounts[...]
  while !rest.isEmpty {
    let now = world.clock.now()
    let batch = rest.prefix(ImportLimits.batch).map { account in
      ImportStep(account, terms, at: now, in: world)
    }
    rest = rest.dropFirst(batch.count)
    let before = summary
    let subjects = batch.flatMap(\.account.creation.subjects) + [rules.subject]
    summary = try await world.decide(about: subjects) {
      (transaction: any ImportStep.Records) throws in
      var summary = before
      // All checks of a batch come before its first write.
      for step in batch {
        try step.check(by: rules, in: world, transaction)
      }
      for step in batch { try step.write(into: &summary, rules, in: world, transaction) }
      return summary
    }
  }
  world.messageRecorded()
  return summary
}

extension ImportedAccount {
  var kind: PasswordHashKind? { passwordHash.flatMap { PasswordHashKind(of: $0) } }

  fileprivate func taken(_ transaction: any AccountRecords) throws(StoreFault) -> ImportMistake? {
    if let email = creation.email, try transaction.account(email: email) != nil {
      return ImportMistake(
        line: line, name: AccountColumn.email.rawValue, "an account has this address already",
        isExisting: true)
    }
    if let phone = creation.phone,
      try transaction.account(phone: phone, role: creation.role) != nil
    {
      return ImportMistake(
        line: line, name: AccountColumn.phoneNumber.rawValue,
        "an account of this role has this number already", isExisting: true)
    }
    return nil
  }
}

/// One account of a batch, with the random values that are drawn before the transaction.
private struct ImportStep: Sendable {
  typealias Records = AccountRecords & InvitationSending.Records & PasswordHashKindRecords

  let account: ImportedAccount
  private let terms: ImportTerms
  private let id: AccountID
  private let invitation: InvitationSending?
  private let now: Instant

  init(_ account: ImportedAccount, _ terms: ImportTerms, at now: Instant, in world: World) {
    self.account = account
    self.terms = terms
    self.now = now
    id = AccountID(world.handle(bytes: 16))
    invitation = terms.invitation.map { InvitationSending(by: $0, in: world) }
  }

  private var wanted: Account {
    let creation = account.creation
    return Account(
      id: id, email: creation.email, phone: creation.phone, name: creation.name.text,
      role: creation.role, status: .active, passwordHash: account.passwordHash,
      organizations: creation.organizations, permission: creation.permission ?? .none,
      createdAt: now
    )
  }

  /// Refuses the account if it cannot be created and is not skipped.
  func check(
    by rules: AccountEditingRules, in world: World, _ transaction: any AccountRecords
  ) throws {
    if let taken = try account.taken(transaction), !terms.skipsExisting {
      throw Refusal.accountExists("line \(account.line): \(taken.problem)")
    }
    _ = try account.creation.admitted(wanted, by: rules, in: world, transaction)
  }

  func write(
    into summary: inout ImportSummary, _ rules: AccountEditingRules, in world: World,
    _ transaction: any Records
  ) throws {
    guard try account.taken(transaction) == nil else {
      summary.skipped += 1
      return
    }
    if let kind = account.kind, kind != .current { try transaction.save(kind) }
    let created = try account.creation.admitted(wanted, by: rules, in: world, transaction)
    try transaction.insert(created)
    try transaction.record(.accountCreated, about: id, by: rules, at: now)
    summary.created += 1
    guard let invitation, created.passwordHash == nil else { return }
    do {
      _ = try invitation.send(to: created, by: rules, transaction)
      summary.invited += 1
    } catch is Refusal {
      summary.notInvited += 1
    }
  }
}
