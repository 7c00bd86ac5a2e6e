/// Remembers so much and no more: the oldest are forgotten, a generation at a time.
struct Generations<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// Of one generation; two are kept.
  let limit: Int
  private var newer: [Key: Value] = [:]
  private var older: [Key: Value] = [:]

  init(limit: Int) { self.limit = limit }

  subscript(key: Key) -> Value? { newer[key] ?? older[key] }

  mutating func remember(_ value: Value, for key: Key) {
    if newer.count >= limit {
      older = newer
      newer = [:]
    }
    newer[key] = value
  }
}
