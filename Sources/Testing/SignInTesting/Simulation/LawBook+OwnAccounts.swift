internal import Cryptography
internal import JSONText
internal import SignInModel
internal import SignInRules
internal import SignInService
internal import SignInWire

// Laws about what people do with their own account.
extension LawBook {
  /// A code that was sent to a new address or number.
  struct ContactCode {
    let account: AccountID
    let value: Recipient
    let text: String
    let madeAt: Instant
    /// Whether the value is of another account, so that no code for it is right.
    let isDecoy: Bool
    var isDelivered = false
    var isUsed = false
  }

  /// What the laws know about changes of own accounts.
  struct OwnAccounts {
    /// By challenge.
    var codes: [String: ContactCode] = [:]
    /// The newest challenge of each account and holder.
    var newest: [CodePlace: String] = [:]
    /// The new value of each change, by the session that its app sends with the code.
    var values: [String: Recipient] = [:]
    /// The times of the wrong codes for each value since its last lockout.
    var wrongCodes: [Recipient: [Instant]] = [:]
    /// The secrets of the links in messages that were handed over.
    var links: [String] = []
    /// The last code that was handed over to each value.
    var delivered: [Recipient: String] = [:]
    /// The erasures whose cancellation was acknowledged.
    var cancelled: Set<String> = []
  }

  private static let daySeconds: Int64 = 24 * 60 * 60

  /// Checks what a decision did to addresses, numbers, revocable changes and whole accounts.
  func ownAccountsChanged(
    _ before: MemoryTables, _ after: MemoryTables, _ operation: SimulatedOperation
  ) {
    for (id, account) in after.accounts where before.accounts[id] != account {
      guard let earlier = before.accounts[id] else { continue }
      for kind in [RevocableChange.Kind.email, .phoneNumber]
      where earlier.contact(kind) != account.contact(kind) {
        contactChanged(kind, from: earlier, to: account, (before, after), operation)
      }
    }
    for id in before.accounts.keys where after.accounts[id] == nil {
      erased(id, before, after, operation)
    }
    switch operation.kind {
    case .ownAccount(.undo), .ownAccount(.undoOwn): undone(before, after)
    default: break
    }
  }

  private func contactChanged(
    _ kind: RevocableChange.Kind, from earlier: Account, to account: Account,
    _ tables: (before: MemoryTables, after: MemoryTables), _ operation: SimulatedOperation
  ) {
    let (before, after) = tables
    let (old, new) = (earlier.contact(kind), account.contact(kind))
    switch operation.kind {
    case .administration: return
    case .ownAccount(.confirm(_, let code)):
      guard let new else { return taken(old, from: earlier, after) }
      judge(code, of: account.id, for: new, operation)
      expectOldTold(of: account.id, old, before, after)
    case .ownAccount(.undo), .ownAccount(.undoOwn):
      let isRestored = after.revocableChanges.values.contains { change in
        change.account == account.id && change.kind == kind && change.undoneAt != nil
          && before.revocableChanges[change.id]?.undoneAt == nil && change.before?.value == new
      }
      expect(
        isRestored, .contactNeedsCode,
        "an undo gave \(account.id.text) \(new?.text ?? "nothing"), which no change replaced")
    default:
      broken(
        .contactNeedsCode,
        "\(account.id.text) got \(new?.text ?? "nothing") by \(operation.kind)")
    }
  }

  /// An account lost a value, because another one has proved it.
  private func taken(_ value: Recipient?, from earlier: Account, _ after: MemoryTables) {
    guard let value else { return }
    expect(
      earlier.proof(of: value) == nil, .takingKeepsProofs,
      "\(earlier.id.text) lost \(value.text), which it has proved")
    let isProved = after.accounts.values.contains {
      $0.id != earlier.id && $0.proof(of: value) != nil
    }
    expect(isProved, .contactNeedsCode, "\(earlier.id.text) lost \(value.text) to no account")
  }

  /// Checks the code of a change: it must be the newest one, delivered, and for this value.
  private func judge(
    _ typed: String, of account: AccountID, for value: Recipient, _ operation: SimulatedOperation
  ) {
    let digits = typed.filter { $0 != " " }
    let found = ownAccounts.newest.values.first { id in
      guard let code = ownAccounts.codes[id] else { return false }
      return code.account == account && code.value == value && code.text == digits
    }
    guard let id = found, var code = ownAccounts.codes[id] else {
      return broken(
        .contactNeedsCode, "\(account.text) got \(value.text) without the newest code for it")
    }
    expect(
      !code.isDecoy && code.isDelivered, .contactNeedsCode,
      "\(account.text) got \(value.text) with a code that was not delivered")
    expect(!code.isUsed, .contactNeedsCode, "\(account.text) used a code for \(value.text) again")
    let age = operation.readClock.milliseconds - code.madeAt.milliseconds
    expect(age < 300_000, .contactNeedsCode, "\(account.text) used a code \(age) ms old")
    code.isUsed = true
    ownAccounts.codes[id] = code
  }

  private func expectOldTold(
    of account: AccountID, _ old: Recipient?, _ before: MemoryTables, _ after: MemoryTables
  ) {
    let made = after.revocableChanges.values.first {
      $0.account == account && before.revocableChanges[$0.id] == nil
    }
    guard let made, made.before?.value == old else {
      return broken(.oldContactTold, "a change of \(account.text) cannot be taken back")
    }
    // An account without an earlier value is told at the other one.
    let isTold = after.messages.values.contains { message in
      before.messages[message.id] == nil && message.kind == .notice
        && (old == nil || message.to == old)
        && Self.undoSecret(in: message).map { TimeOrderedHandle.digest(of: $0) } == made.digest
    }
    expect(
      isTold, .oldContactTold, "\(old?.text ?? account.text) got no link that takes the change back"
    )
  }

  /// The secret of the link in a message.
  private static func undoSecret(in message: OutboxMessage) -> String? {
    SimulatedKeys.keyring.outbox.open(message.sealedText, context: message.id)
      .flatMap { undoSecret(in: String(decoding: $0, as: UTF8.self)) }
  }

  static func undoSecret(in text: String) -> String? {
    let page = Endpoint.undoContactChange.path + "?undo="
    guard let link = text.firstRange(of: page) else { return nil }
    return String(text[link.upperBound...].prefix { !$0.isWhitespace })
  }

  // MARK: Undoing and erasing

  /// A change, and the later ones of its kind, were taken back.
  private func undone(_ before: MemoryTables, _ after: MemoryTables) {
    let undone = after.revocableChanges.values.filter {
      $0.kind != .erasure && $0.undoneAt != nil
        && before.revocableChanges[$0.id].map { $0.undoneAt == nil } ?? false
    }
    let first = undone.min { ($0.madeAt, $0.id) < ($1.madeAt, $1.id) }
    guard let change = first, let account = after.accounts[change.account] else { return }
    expect(
      account.contact(change.kind) == change.before?.value, .undoRestores,
      "an undo did not give \(account.id.text) \(change.before?.value.text ?? "nothing")")
    let isLeft = after.revocableChanges.values.contains {
      $0.account == account.id && $0.kind == .erasure && $0.undoneAt == nil
    }
    expect(!isLeft, .undoRestores, "\(account.id.text) is still erased after its undo")
  }

  private func erased(
    _ id: AccountID, _ before: MemoryTables, _ after: MemoryTables,
    _ operation: SimulatedOperation
  ) {
    let due = before.revocableChanges.values.filter {
      $0.account == id && $0.kind == .erasure && $0.undoneAt == nil
        && $0.endsAt <= operation.readClock
    }
    expect(
      due.contains { !ownAccounts.cancelled.contains($0.id) }, .erasureIsOwn,
      "\(id.text) was erased without a request, or after it was cancelled")
    let others = before.accounts.keys.filter { $0 != id }
    expect(
      others.allSatisfy { after.accounts[$0] != nil }, .erasureIsOwn,
      "the erasure of \(id.text) removed another account")
    let isOwn = before.sessions.values.allSatisfy {
      $0.account == id || after.sessions[$0.id] != nil
    }
    expect(isOwn, .erasureIsOwn, "the erasure of \(id.text) removed a session of another account")
    for (key, message) in before.messages where after.messages[key] == nil {
      let place = MemoryTables.ContactPlace(account: id, value: message.to)
      let isProved =
        before.accounts[id]?.proof(of: message.to) != nil
        || before.formerContacts[place]?.proof != nil
      expect(
        message.account == id || isProved, .erasureIsOwn,
        "the erasure of \(id.text) removed a message to \(message.to.text)")
    }
  }
}

// MARK: - Messages

extension LawBook {
  /// A code to a new address or number was recorded.
  func contactCodeRecorded(
    _ message: OutboxMessage, at place: CodePlace, _ operation: SimulatedOperation
  ) {
    guard case .ownAccount(.begin(let value)) = operation.kind, value == message.to,
      let sealed = SimulatedKeys.keyring.outbox.open(message.sealedText, context: message.id)
    else { return broken(.contactNeedsCode, "a code to \(message.to.text) without a request") }
    let words = String(decoding: sealed, as: UTF8.self).split { !$0.isNumber }
    guard let code = words.first(where: { $0.count == 6 }) else {
      return broken(.contactNeedsCode, "a message to \(message.to.text) without a code")
    }
    ownAccounts.codes[message.id] = ContactCode(
      account: place.account, value: value, text: String(code), madeAt: operation.readClock,
      isDecoy: message.state == .decoy)
    ownAccounts.newest[place] = message.id
  }

  /// A message was handed over, which may have a code or a link of an own account.
  func ownMessageHandedOver(_ message: TextMessage) {
    if let code = ownAccounts.codes[message.id] {
      ownAccounts.codes[message.id]?.isDelivered = true
      ownAccounts.delivered[message.to] = code.text
    }
    if let secret = Self.undoSecret(in: message.text.revealed) { ownAccounts.links.append(secret) }
  }
}

// MARK: - Answers

extension LawBook {
  func ownAccountAnswered(
    _ answer: WireAnswer, _ step: SimulatedOperation.OwnAccountStep,
    _ operation: SimulatedOperation, _ tables: MemoryTables
  ) {
    let isDone = (200...299).contains(answer.status)
    switch step {
    case .begin(let value):
      if let session = answer.body[.changeSession]?.text { ownAccounts.values[session] = value }
    case .confirm(let session, _): codeAnswered(answer, session, operation)
    case .undo(let secret): linkAnswered(secret, operation, tables)
    case .cancelErasure:
      guard isDone, let id = account(of: operation, tables) else { return }
      let requests = tables.revocableChanges.values.filter {
        $0.account == id && $0.kind == .erasure && $0.madeAt <= operation.readClock
      }
      ownAccounts.cancelled.formUnion(requests.map(\.id))
    case .undoOwn, .requestErasure: break
    }
  }

  /// Counts the wrong codes for one value, of all sessions together (L-04).
  private func codeAnswered(
    _ answer: WireAnswer, _ session: String, _ operation: SimulatedOperation
  ) {
    guard let value = ownAccounts.values[session] else { return }
    switch Refusal(json: answer.body)?.code {
    case .invalidOTP:
      let dayAgo = operation.readClock.adding(seconds: -Self.daySeconds)
      let wrong =
        (ownAccounts.wrongCodes[value] ?? []).filter { $0 > dayAgo } + [operation.readClock]
      ownAccounts.wrongCodes[value] = wrong
      expect(
        wrong.count <= Self.failureLimit, .contactGuesses,
        "the \(wrong.count)th wrong code for \(value.text) was compared")
    case .accountLocked: ownAccounts.wrongCodes[value] = nil
    case nil: if answer.status == 200 { ownAccounts.wrongCodes[value] = nil }
    default: break
    }
  }

  /// A link works until its end, unless another account has proved the earlier value.
  private func linkAnswered(
    _ secret: String, _ operation: SimulatedOperation, _ tables: MemoryTables
  ) {
    let digest = TimeOrderedHandle.digest(of: secret)
    guard let change = tables.revocableChanges.values.first(where: { $0.digest == digest }),
      change.undoneAt == nil, operation.readClock < change.endsAt
    else { return }
    let isElsewhere = tables.accounts.values.contains { account in
      account.id != change.account
        && change.before.map { account.proof(of: $0.value) != nil } ?? false
    }
    expect(
      isElsewhere, .undoRestores, "a link of \(change.account.text) did not take its change back")
  }

  /// The account of the session whose access token a request has.
  func account(of operation: SimulatedOperation, _ tables: MemoryTables) -> AccountID? {
    operation.accessToken.flatMap { Self.session(of: $0) }.flatMap { tables.sessions[$0]?.account }
  }
}

extension Account {
  /// The address or the number.
  func contact(_ kind: RevocableChange.Kind) -> Recipient? {
    switch kind {
    case .email: email.map { .email($0) }
    case .phoneNumber: phone.map { .phone($0) }
    case .erasure: nil
    }
  }
}
