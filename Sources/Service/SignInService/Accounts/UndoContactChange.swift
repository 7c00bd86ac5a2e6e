import Cryptography
public import SignInModel
import SignInRules
public import SignInWire

/// What a link in a message about a change of the own account can do now.
public enum UndoLink: Equatable, Sendable {
  /// The change can be taken back.
  case open(RevocableChange.Kind)
  /// It was taken back.
  case done(RevocableChange.Kind)
  /// The link is unknown, or its time has ended.
  case ended
}

extension World {
  /// The address of the page that takes a change back.
  func undoLink(with secret: Secret) -> Secret {
    let page = issuer + Endpoint.undoContactChange.path
    return Secret("\(page)?\(WireField.undo.rawValue)=\(secret.revealed)")
  }
}

/// What the link with this secret can do.
public func readUndoLink(_ secret: Secret, in world: World) async throws(Refusal) -> UndoLink {
  let digest = TimeOrderedHandle.digest(of: secret)
  let now = world.clock.now()
  let found: RevocableChange? = try await world.read {
    (transaction: any RevocableChangeRecords) throws in
    try transaction.revocableChange(digest: digest)
  }
  guard let found, now < found.endsAt || found.isOpen(at: now) else { return .ended }
  return found.isOpen(at: now) ? .open(found.kind) : .done(found.kind)
}

/// Takes a change of an address or a number back, or cancels an erasure, with the secret from the
/// message.
///
/// If an address or a number changes, every session ends, because the change may be another
/// person's. If the earlier one was proved, another account that has it without a proof loses it,
/// so no person can stop the link by typing it somewhere. Later changes of the same kind are taken
/// back too, and an erasure is cancelled. The same request again changes nothing.
///
/// - Returns: What was taken back.
public func undoChange(
  _ secret: Secret, peer: String?, in world: World
) async throws(Refusal) -> RevocableChange.Kind {
  let digest = TimeOrderedHandle.digest(of: secret)
  let found: RevocableChange? = try await world.read {
    (transaction: any RevocableChangeRecords) throws in
    try transaction.revocableChange(digest: digest)
  }
  guard let found else { throw .noSuchChange }
  let caller = Caller(client: nil, peer: peer, proofKeyThumbprint: nil)
  if found.kind == .erasure {
    try await cancel(found, by: caller, in: world)
  } else {
    try await undo(found, asked: nil, by: caller, in: world)
  }
  return found.kind
}

/// Takes the person's own change back, in the app.
///
/// The session must have begun before the change. The person proves that it is not stolen, as for a
/// change. It continues, and every other one ends.
public func undoContactChange(
  _ id: String, _ access: Access, password: Secret?, peer: String?, in world: World
) async throws(Refusal) {
  try world.checkWholeAccount(access.session, access.account)
  let account = access.account.id
  let found: RevocableChange? = try await world.read {
    (transaction: any RevocableChangeRecords) throws in
    try transaction.revocableChanges(of: account).first { $0.id == id && $0.kind != .erasure }
  }
  guard let found, found.concerns(access.session) else { throw .noSuchChange }
  try await confirmPerson(of: access, password: password, peer: peer, in: world)
  try await undo(found, asked: access, by: access.caller(peer: peer), in: world)
}

private typealias UndoRecords =
  ContactSettling.Records & RevocableChangeRecords & WaitingProductRecords

/// `asked` is the session that asks; nil for the link in the message.
private func undo(
  _ change: RevocableChange, asked: Access?, by caller: Caller, in world: World
) async throws(Refusal) {
  let now = world.clock.now()
  let contact = ContactSettling(.addressAccepted, at: now, in: world)
  let subjects =
    [Subject.account(change.account)] + (change.before.map { [Subject($0.value)] } ?? [])
  try await world.decide(about: subjects) { (transaction: any UndoRecords) throws in
    let changes = try transaction.revocableChanges(of: change.account)
    if let asked {
      try world.checkWholeAccount(asked.session, try transaction.account(of: asked))
    }
    guard let current = changes.first(where: { $0.id == change.id }), now < current.endsAt,
      let before = try transaction.account(change.account), before.role != .administrator
    else { throw Refusal.noSuchChange }
    guard current.undoneAt == nil else { return }
    let after = current.undone(in: before)
    let proved = current.proved
    if let taken = try taken(by: after, proving: proved, transaction) { throw taken }
    try transaction.take(proved, for: after, at: now)
    if after != before { try transaction.update(after) }
    for var other in changes where other.undoneAt == nil {
      let isLater = other.kind == current.kind && other.madeAt >= current.madeAt
      guard isLater || other.kind == .erasure else { continue }
      other.undoneAt = now
      try transaction.update(other)
      guard other.kind == .erasure else { continue }
      try transaction.record(.erasureCancelled, about: change.account, by: caller, at: now)
    }
    try transaction.record(
      .contactChangeUndone, about: change.account, detail: change.kind.rawValue, by: caller,
      at: now)
    try transaction.deliverWaitingProducts(to: after)
    try contact.settle(before, after, keeping: asked?.session, by: caller, transaction)
    let extent: SignOut = asked.map { .everythingExcept($0.session) } ?? .everything
    try transaction.signOut(change.account, from: extent, because: .revoked, by: caller, at: now)
  }
  world.messageRecorded()
}
