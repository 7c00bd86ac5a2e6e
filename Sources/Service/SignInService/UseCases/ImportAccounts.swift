import Cryptography
import SignInModel
public import SignInWire

/// The numbers of importing accounts.
public enum ImportLimits {
  /// Accounts that are written in one transaction: requests of a running server go between.
  public static let batch = 250
}

/// How accounts are imported.
public struct ImportTerms: Sendable {
  /// Whether accounts are left out when their e-mail address, or number within the role, is taken,
  /// instead of being a mistake: the same file can be imported again after a failure.
  public var skipsExisting = false
  /// Nil for no invitations; else everyone without a password who can be invited is.
  public var invitation: InvitationDelivery?

  public init() {}
}

/// What an import made.
public struct ImportSummary: Equatable, Sendable {
  public var created = 0
  /// There was an account with this address or number.
  public var skipped = 0
  public var invited = 0
  /// No app of their role has passwords, or there is no e-mail address to sign in with.
  public var notInvited = 0

  public init() {}
}

/// What the store says against an import: addresses and numbers that are taken, and more kinds of
/// hashes than it takes.
public func checkImport(
  _ accounts: [ImportedAccount], _ terms: ImportTerms, in world: World
) async -> Outcome<[ImportMistake]> {
  await world.look { (transaction) throws(StoreFault) in
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
    return .success(mistakes)
  }
}

/// Creates active accounts (T-16), each with an event of its own.
///
/// Accounts are written in batches; a failure leaves whole batches, and a repetition with
/// `skipsExisting` goes on from there.
public func importAccounts(
  _ accounts: [ImportedAccount], _ terms: ImportTerms, keeper: AccountKeeper, in world: World
) async -> Outcome<ImportSummary> {
  var summary = ImportSummary()
  var rest = accounts[...]
  while !rest.isEmpty {
    let now = world.clock.now()
    let batch = rest.prefix(ImportLimits.batch).map { account in
      ImportStep(account, terms, at: now, in: world)
    }
    rest = rest.dropFirst(batch.count)
    let before = summary
    let outcome: Outcome<ImportSummary> = await world.decide { (transaction) throws(StoreFault) in
      var summary = before
      // Nothing of a batch is written before all of it may be.
      for step in batch {
        if let refusal = try step.refusal(by: keeper, in: world, transaction) {
          return .refusal(refusal)
        }
      }
      for step in batch { try step.write(into: &summary, keeper, in: world, transaction) }
      return .success(summary)
    }
    switch outcome {
    case .success(let made): summary = made
    case .refusal(let refusal): return .refusal(refusal)
    }
  }
  world.outboxRung()
  return .success(summary)
}

extension ImportedAccount {
  var kind: PasswordHashKind? { passwordHash.flatMap { PasswordHashKind(of: $0) } }

  fileprivate func taken(_ transaction: any Transaction) throws(StoreFault) -> ImportMistake? {
    if let email = creation.email, try transaction.account(email: email) != nil {
      return ImportMistake(
        line: line, name: AccountColumn.email.rawValue, "an account has this address already")
    }
    if try transaction.account(phone: creation.phone, role: creation.role) != nil {
      return ImportMistake(
        line: line, name: AccountColumn.phoneNumber.rawValue,
        "an account of this role has this number already")
    }
    return nil
  }
}

/// One account of a batch, with what is drawn for it before the transaction.
private struct ImportStep: Sendable {
  private let account: ImportedAccount
  private let terms: ImportTerms
  private let id: AccountID
  private let secret: String
  private let notice: NoticeSending
  private let now: Instant

  init(_ account: ImportedAccount, _ terms: ImportTerms, at now: Instant, in world: World) {
    self.account = account
    self.terms = terms
    self.now = now
    id = AccountID(world.handle(bytes: 16))
    secret = world.datedHandle(at: now)
    notice = NoticeSending(at: now, in: world)
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

  /// Why the account cannot be created; nil when it can, or is left out.
  func refusal(
    by keeper: AccountKeeper, in world: World, _ transaction: any Transaction
  ) throws(StoreFault) -> ErrorAnswer? {
    if let taken = try account.taken(transaction), !terms.skipsExisting {
      return ErrorAnswer(.accountExists, "line \(account.line): \(taken.problem)")
    }
    switch try account.creation.admitted(wanted, by: keeper, in: world, transaction) {
    case .success: return nil
    case .refusal(let refusal): return refusal
    }
  }

  func write(
    into summary: inout ImportSummary, _ keeper: AccountKeeper, in world: World,
    _ transaction: any Transaction
  ) throws(StoreFault) {
    guard try account.taken(transaction) == nil else {
      summary.skipped += 1
      return
    }
    if let kind = account.kind, kind != .current { try transaction.save(kind) }
    let created = wanted
    try transaction.insert(created)
    try transaction.record(.accountCreated, about: id, by: keeper, at: now)
    summary.created += 1
    guard let delivery = terms.invitation, created.passwordHash == nil else { return }
    let outcome = try transaction.invite(
      created, Secret(secret), by: delivery, notice, keeper, at: now, in: world)
    switch outcome {
    case .success: summary.invited += 1
    case .refusal: summary.notInvited += 1
    }
  }
}
