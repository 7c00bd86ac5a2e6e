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
    guard let answer = try transaction.rememberedAnswer(owner: owner, key: name(keyring)),
      now < answer.expiresAt
    else { return nil }
    guard ConstantTime.equal(answer.fingerprint, keyring.fingerprint(of: request)) else {
      throw Refusal.idempotencyKeyReused
    }
    guard !answer.body.isEmpty else { throw Refusal.answerErased }
    do throws(JSONMalformed) { return try JSONReader.read(answer.body) } catch {
      throw StoreFault.unusable("a remembered answer cannot be read: restore a backup")
    }
  }

  /// The name of the answer in the store: a keyed digest, because the key may contain a name or an
  /// address.
  private func name(_ keyring: Keyring) -> String {
    Base64URL.encode(keyring.fingerprint(of: Array(key.utf8)))
  }

  func answer(_ json: JSON, at now: Instant, _ keyring: Keyring) -> RememberedAnswer {
    RememberedAnswer(
      owner: owner, key: name(keyring), fingerprint: keyring.fingerprint(of: request),
      body: json.utf8,
      expiresAt: now.adding(seconds: Self.retentionSeconds)
    )
  }
}

/// How an answer is written to the store and read again.
struct RememberedForm<Entry: Sendable>: Sendable {
  /// Returns nil for an answer that is not remembered.
  let json: @Sendable (Entry) -> JSON?
  let read: @Sendable (JSON) -> Entry?
}

extension World {
  /// Decides once: the same request under the same key gets the same answer and changes nothing,
  /// even if the records have changed since.
  ///
  /// If the form gives nil, the request has changed nothing, and the answer is not remembered.
  ///
  /// `permit` refuses a caller who may not make this request now. It comes first, because the
  /// permission may have been removed since the earlier answer.
  func decideIdempotently<Entry: Sendable>(
    _ once: IdempotencyKey?, about subjects: [Subject], form: RememberedForm<Entry>,
    permit: @escaping @Sendable (any Transaction) throws -> Void,
    _ change: @escaping @Sendable (any Transaction) throws -> Entry
  ) async throws(Refusal) -> Entry {
    let (now, keyring) = (clock.now(), keyring)
    let owner = once.map { Subject.account($0.owner) }
    return try await decide(about: subjects + [owner].compactMap { $0 }) { (transaction) throws in
      try permit(transaction)
      guard let once else { return try change(transaction) }
      if let earlier = try once.earlierAnswer(at: now, keyring, transaction) {
        guard let entry = form.read(earlier) else {
          throw StoreFault.unusable("a remembered answer cannot be read: restore a backup")
        }
        return entry
      }
      let entry = try change(transaction)
      if let body = form.json(entry) {
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
