public import SignInService

/// The promises every store must keep, each as a check that any store can be put to.
public enum StoreContract {
  /// Makes an empty store.
  public typealias Factory = @Sendable () async throws -> any Store

  public struct Check: Sendable, CustomStringConvertible {
    /// The promise, as a sentence.
    public let name: String
    let isKept: @Sendable (any Store) async throws -> Void

    public var description: String { name }

    /// - Throws: `BrokenPromise`, or the fault that came in its way.
    public func run(_ makeStore: Factory) async throws {
      try await isKept(makeStore())
    }
  }

  public static var all: [Check] {
    accounts + lockouts + signIns + passwordResets + sessions + outbox + jobs
      + deliveries + activities + lists + products + events + refusals + throttles + policies
      + messageCosts + waitingPasswords + demo + people
      + assertions + data + decisions
  }
}

/// A requirement that a store does not meet.
public struct BrokenPromise: Error, Equatable, CustomStringConvertible {
  public let description: String
}

/// - Throws: `BrokenPromise` when the two differ.
func expect<Value: Equatable>(
  _ found: Value, is expected: Value, _ what: String
) throws(BrokenPromise) {
  guard found == expected else {
    throw BrokenPromise(description: "\(what): expected \(expected), found \(found)")
  }
}

/// - Throws: `BrokenPromise` unless the decision faults with `fault`.
func expect<Answer: Sendable>(
  _ fault: StoreFault, from store: any Store, _ what: String,
  _ decide: @escaping @Sendable (any Transaction) throws(StoreFault) -> Answer
) async throws(BrokenPromise) {
  let found: String
  do throws(StoreFault) {
    found = "the answer \(try await store.transact(decide))"
  } catch {
    if error == fault { return }
    found = "\(error)"
  }
  throw BrokenPromise(description: "\(what): expected \(fault), found \(found)")
}
