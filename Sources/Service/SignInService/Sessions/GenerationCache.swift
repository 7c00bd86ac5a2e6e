/// A bounded cache in two generations.
///
/// If the newer generation is full, the older one is dropped and a new one begins.
struct GenerationCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// The entries of one generation.
  ///
  /// There are two generations.
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
