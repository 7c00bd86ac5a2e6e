import Cryptography
public import SignInModel

/// A signing key as a database stores it.
public struct SealedSigningKey: Equatable, Sendable {
  /// The RFC 7638 thumbprint of the key.
  public let id: String
  /// The private key, sealed for `id` and `signsUntil` with a key that is derived from the master
  /// key.
  public let sealed: [UInt8]
  /// The moment from which its successor signs; `nil` for the last key.
  public var signsUntil: Instant?

  public init(id: String, sealed: [UInt8], signsUntil: Instant?) {
    self.id = id
    self.sealed = sealed
    self.signsUntil = signsUntil
  }
}

/// The records that a change of the signing keys can use.
public typealias SigningKeyRecords = EventRecords & NodeReportRecords & ReadinessRecords

/// The signing keys of a database that several servers use.
public protocol SigningKeyStore: Sendable {
  func signingKeys() async throws(StoreFault) -> [SealedSigningKey]
  /// Changes the keys in a decision that no other decision overlaps.
  ///
  /// `change` gets the keys of now. As each decision, it may run again.
  func changeSigningKeys<Answer: Sendable>(
    _ change:
      @escaping @Sendable (
        _ keys: inout [SealedSigningKey], _ records: any SigningKeyRecords
      ) throws(StoreFault) -> Answer
  ) async throws(StoreFault) -> Answer
}

/// The signing keys that all servers of one database use.
///
/// A new key is in the database, and every server knows it, before it signs.
public struct SharedSigningKeys: Sendable {
  /// The least time for which a new key is published before it signs, in seconds.
  ///
  /// Each server reads the keys every second. One call of the database can take twelve seconds, and
  /// the clocks of servers differ by up to a second. A server that cannot read the keys for longer
  /// than this cannot answer requests either. The commit that publishes the key can also take
  /// twelve seconds.
  public static let minimumPublishedSeconds: Int64 = 60

  /// The result of a rotation.
  public enum Rotation: Sendable {
    /// `key` signs from `start` on; the earlier key is accepted until `earlierEndsAt`.
    case rotated(SigningKeys.Key, start: Instant, earlierEndsAt: Instant?)
    /// The newest key does not sign before this moment.
    case tooEarly(until: Instant)
  }

  /// The keys of a database that has some, or that had none until now.
  public enum LoadResult: Sendable {
    case found([SigningKeys.Key])
    /// The database had none, and has these now.
    case stored([SigningKeys.Key])

    public var keys: [SigningKeys.Key] {
      switch self {
      case .found(let keys), .stored(let keys): keys
      }
    }
  }

  /// The result of replacing the keys of a lost master key.
  public enum LossResult: Equatable, Sendable {
    /// The database has the keys of the new master key.
    case replaced
    /// This number of servers run and have the master key. Nothing was changed.
    case serversRun(Int)
    /// Another call replaced the keys a short time ago. Nothing was changed.
    case replacedByAnother
  }

  private let store: any SigningKeyStore
  private let keys: StoreKeys

  public init(in store: any SigningKeyStore, keys: StoreKeys) {
    self.store = store
    self.keys = keys
  }

  /// The keys of all servers.
  ///
  /// If the database has none yet, it gets these, which the first server read from its folder or
  /// has just generated.
  ///
  /// - Throws: `.unusable` if the keys were sealed with another master key.
  public func loadOrStore(_ own: [SigningKeys.Key]) async throws(StoreFault) -> LoadResult {
    let found = try await read()
    if !found.isEmpty { return .found(found) }
    let sealed = own.map { keys.sealed($0) }
    let (all, isStored) = try await store.changeSigningKeys { (stored, _) throws(StoreFault) in
      let isEmpty = stored.isEmpty
      if isEmpty { stored = sealed }
      return (stored, isEmpty)
    }
    return isStored ? .stored(try opened(all)) : .found(try opened(all))
  }

  /// The keys of all servers; empty before the first server has stored its own.
  ///
  /// - Throws: `.unusable` if a server cannot use the keys, so that it continues with those it has.
  public func read() async throws(StoreFault) -> [SigningKeys.Key] {
    try opened(try await store.signingKeys())
  }

  /// Adds a new key that signs `publishedSeconds` later, and records it.
  public func rotate(
    publishedSeconds: Int64, clock: any Clock
  ) async throws(StoreFault) -> Rotation {
    precondition(publishedSeconds >= Self.minimumPublishedSeconds, "servers learn of a key first")
    let key = SigningKeys.Key(SigningKey.generate())
    let sealed = keys.sealed(key)
    return try await store.changeSigningKeys { (stored, records) throws(StoreFault) in
      // The decision may have waited for others.
      let now = clock.now()
      let found = try opened(stored)
      if let last = found.compactMap(\.signsUntil).max(), last > now {
        return .tooEarly(until: last)
      }
      // The time has whole seconds, as that of a key file. It is rounded up.
      let start = Instant(seconds: now.seconds + 1).adding(seconds: publishedSeconds)
      stored = found.map { earlier in
        keys.sealed(SigningKeys.Key(earlier.signing, signsUntil: earlier.signsUntil ?? start))
      }
      Self.removeEnded(from: &stored, at: now)
      let hasEarlier = !stored.isEmpty
      stored.append(sealed)
      try Self.record(key.id, records, at: now)
      let end = start.adding(seconds: SigningKeys.overlapSeconds)
      return .rotated(key, start: start, earlierEndsAt: hasEarlier ? end : nil)
    }
  }

  /// Replaces all keys by a new one that signs at once, and records it.
  ///
  /// Tokens of the removed keys are refused. A server that has not read the new key yet refuses
  /// its tokens for a second.
  ///
  /// - Returns: The new key, and the moment from which it signs.
  public func replace(
    clock: any Clock
  ) async throws(StoreFault) -> (key: SigningKeys.Key, start: Instant) {
    let key = SigningKeys.Key(SigningKey.generate())
    let sealed = keys.sealed(key)
    return try await store.changeSigningKeys { (stored, records) throws(StoreFault) in
      let now = clock.now()
      stored = [sealed]
      try Self.record(key.id, records, at: now)
      return (key, now)
    }
  }

  /// Replaces the keys that were sealed with a lost master key.
  ///
  /// The same decision links the security log with the new master key. So a server that starts
  /// with it finds both or neither. It also looks for running servers, because they have the key:
  /// no server can report itself during the decision. The time of the database decides which
  /// reports are valid.
  ///
  /// A call whose answer was lost can be repeated with the same master key. Two calls with
  /// different keys do not both succeed: as long as a report is valid, a new key counts like a
  /// server that has not reported itself yet.
  public func replaceLost(clock: any Clock) async throws(StoreFault) -> LossResult {
    let key = SigningKeys.Key(SigningKey.generate())
    let sealed = keys.sealed(key)
    return try await store.changeSigningKeys { (stored, records) throws(StoreFault) in
      if try hasKeys(stored, records) { return .replaced }
      let now = try records.databaseTime() ?? clock.now()
      let serverCount = try records.nodeReports().count { $0.isValid(at: now) }
      guard serverCount == 0 else { return .serversRun(serverCount) }
      if let last = try records.lastEvent(), last.code == .logKeyed, last.keyID != keys.events.id,
        now < last.at.adding(seconds: NodeReport.validSeconds)
      {
        return .replacedByAnother
      }
      try records.replaceLostKey(at: now)
      stored = [sealed]
      try Self.record(key.id, records, at: now)
      return .replaced
    }
  }

  /// Whether an earlier call replaced the keys with this master key.
  private func hasKeys(
    _ stored: [SealedSigningKey], _ records: any EventRecords
  ) throws(StoreFault) -> Bool {
    try records.newestKeyID() == keys.events.id && stored.contains { keys.opened($0) != nil }
  }

  /// Removes each key after all its tokens have expired.
  public func removeEnded(at now: Instant) async throws(StoreFault) {
    try await store.changeSigningKeys { (stored, _) throws(StoreFault) in
      Self.removeEnded(from: &stored, at: now)
    }
  }

  private static func removeEnded(from stored: inout [SealedSigningKey], at now: Instant) {
    stored.removeAll { key in
      key.signsUntil.map { $0.adding(seconds: SigningKeys.overlapSeconds) <= now } ?? false
    }
  }

  private static func record(
    _ id: String, _ records: any EventRecords, at now: Instant
  ) throws(StoreFault) {
    try records.record(
      .signingKeyRotated, about: nil, detail: id,
      by: AccountEditingRules.operatorCommand.caller, at: now)
  }

  /// The keys that were sealed with the master key and not changed since.
  ///
  /// Other rows are ignored. Otherwise a person who can write to the database could insert one, so
  /// that servers continue with a leaked key after `fieldpass keys rotate --distrust-old`.
  private func opened(
    _ stored: [SealedSigningKey]
  ) throws(StoreFault) -> [SigningKeys.Key] {
    if stored.isEmpty { return [] }
    let found = stored.compactMap { keys.opened($0) }
    guard !found.isEmpty else {
      throw .unusable(
        "the signing keys in the database were sealed with another master key, or changed since")
    }
    guard found.count(where: { $0.signsUntil == nil }) == 1 else {
      throw .unusable("one signing key in the database must have no end")
    }
    return found
  }
}

extension SigningKeys {
  /// The keys as one line for the log.
  public func summary(at now: Instant, time: (Instant) -> String) -> String {
    let accepted = accepted(at: now)
    let newest = accepted.first?.id ?? ""
    let start = accepted.dropFirst().first?.signsUntil.map { max(now, $0) } ?? now
    return "signing keys read: \(newest) signs from \(time(start)); \(accepted.count) accepted"
  }
}
