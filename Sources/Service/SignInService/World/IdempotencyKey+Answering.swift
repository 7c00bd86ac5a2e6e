import Cryptography
import JSONText
import SignInModel
import SignInWire

extension IdempotencyKey {
  /// The remembered answer to this request; nil if the request is new.
  ///
  /// A different request under the same key is refused.
  func earlierAnswer(
    at now: Instant, _ keyring: Keyring, _ transaction: any RememberedAnswerRecords
  ) throws -> JSON? {
    guard let answer = try transaction.rememberedAnswer(owner: owner, key: key),
      now < answer.expiresAt
    else { return nil }
    guard ConstantTime.equal(answer.fingerprint, keyring.fingerprint(of: request)) else {
      throw Refusal.idempotencyKeyReused
    }
    do throws(JSONMalformed) { return try JSONReader.read(answer.body) } catch {
      throw StoreFault.unusable("a remembered answer cannot be read: restore a backup")
    }
  }

  func answer(_ json: JSON, at now: Instant, _ keyring: Keyring) -> RememberedAnswer {
    RememberedAnswer(
      owner: owner, key: key, fingerprint: keyring.fingerprint(of: request), body: json.utf8,
      expiresAt: now.adding(seconds: Self.retentionSeconds)
    )
  }
}

extension World {
  /// Decides once: the same request under the same key gets the same answer and changes nothing,
  /// even if the records have changed since.
  ///
  /// If `json` returns nil, the request has changed nothing, and the answer is not remembered.
  func decideIdempotently<Entry: Sendable>(
    _ once: IdempotencyKey?, about subjects: [Subject],
    json: @escaping @Sendable (Entry) -> JSON?, read: @escaping @Sendable (JSON) -> Entry?,
    _ change: @escaping @Sendable (any Transaction) throws -> Entry
  ) async throws(Refusal) -> Entry {
    let (now, keyring) = (clock.now(), keyring)
    let owner = once.map { Subject.account($0.owner) }
    return try await decide(about: subjects + [owner].compactMap { $0 }) { (transaction) throws in
      guard let once else { return try change(transaction) }
      if let earlier = try once.earlierAnswer(at: now, keyring, transaction) {
        guard let entry = read(earlier) else {
          throw StoreFault.unusable("a remembered answer cannot be read: restore a backup")
        }
        return entry
      }
      let entry = try change(transaction)
      if let body = json(entry) {
        try transaction.save(once.answer(body, at: now, keyring))
      }
      return entry
    }
  }
}

extension Keyring {
  fileprivate func fingerprint(of request: [UInt8]) -> [UInt8] {
    HMACSHA256.code(for: request, key: fingerprints)
  }
}
