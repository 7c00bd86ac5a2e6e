import Cryptography
public import SignInModel
import SignInRules
public import SignInWire

/// Takes a change of an address or a number back, with the secret from the message to the old one.
///
/// Every session ends, because the change may be another person's. Later changes of the same kind
/// are taken back too.
public func undoContactChange(
  _ secret: Secret, peer: String?, in world: World
) async throws(Refusal) {
  let digest = TimeOrderedHandle.digest(of: secret)
  let found: RevocableChange? = try await world.read {
    (transaction: any RevocableChangeRecords) throws in
    try transaction.revocableChange(digest: digest)
  }
  guard let found else { throw .noSuchChange }
  let caller = Caller(client: nil, peer: peer, proofKeyThumbprint: nil)
  try await undo(found, keeping: nil, by: caller, in: world)
}

/// Takes the person's own change back, in the app.
public func undoContactChange(
  _ id: String, _ access: Access, peer: String?, in world: World
) async throws(Refusal) {
  let account = access.account.id
  let found: RevocableChange? = try await world.read {
    (transaction: any RevocableChangeRecords) throws in
    try transaction.revocableChanges(of: account).first { $0.id == id && $0.kind != .erasure }
  }
  guard let found else { throw .noSuchChange }
  try await undo(found, keeping: access.session, by: access.caller(peer: peer), in: world)
}

private typealias UndoRecords =
  AccountRecords & ContactSettling.Records & EventRecords & RevocableChangeRecords & SessionRecords

private func undo(
  _ change: RevocableChange, keeping own: Session?, by caller: Caller, in world: World
) async throws(Refusal) {
  let now = world.clock.now()
  let contact = ContactSettling(.addressAccepted, at: now, in: world)
  let subjects = [Subject.account(change.account)] + (change.before.map { [Subject($0)] } ?? [])
  try await world.decide(about: subjects) { (transaction: any UndoRecords) throws in
    let changes = try transaction.revocableChanges(of: change.account)
    guard changes.contains(change), change.isOpen(at: now),
      let before = try transaction.account(change.account)
    else { throw Refusal.noSuchChange }
    let after = change.undone(in: before)
    if let taken = try taken(by: after, transaction) { throw taken }
    try transaction.update(after)
    for other in changes where other.kind == change.kind && other.madeAt >= change.madeAt {
      try transaction.removeRevocableChange(other.id, of: change.account)
    }
    try transaction.record(
      .contactChangeUndone, about: change.account, detail: change.kind.rawValue, by: caller,
      at: now)
    try contact.settle(before, after, exceptDevice: own?.proofKeyThumbprint, transaction)
    try transaction.forgetDevices(of: change.account, except: own?.proofKeyThumbprint)
    try transaction.removeSignInAttempts(of: change.account)
    for session in try transaction.openSessions(of: change.account) where session.id != own?.id {
      try end(session, because: .revoked, by: caller, at: now, transaction)
    }
  }
  world.messageRecorded()
}
