public import SignInService
internal import SignInTesting

/// The contract of every store, as checks that run against any store.
public enum StoreContract {
  /// Makes an empty store.
  public typealias Factory = @Sendable () async throws -> any Store

  public struct Check: Sendable, CustomStringConvertible {
    /// The requirement as a sentence.
    public let name: String
    let isKept: @Sendable (any Store) async throws -> Void

    public var description: String { name }

    /// - Throws: `UnmetRequirement`, or a fault of the store.
    public func run(_ makeStore: Factory) async throws {
      try await isKept(makeStore())
    }
  }

  public static var all: [Check] {
    accounts + lockouts + signIns + passwordResets + sessions + outbox + jobs
      + deliveries + activities + lists + products + productSearch + photos + events + refusals
      + throttles + policies
      + messageCosts + overview + waitingPasswords + demo + people
      + assertions + providers + data + recordKeys + revocableChanges + formerContacts + decisions
  }
}

/// A requirement that a store does not meet.
public struct UnmetRequirement: Error, Equatable, CustomStringConvertible {
  public let description: String
}

/// - Throws: `UnmetRequirement` if the two differ.
func expect<Value: Equatable>(
  _ found: Value, is expected: Value, _ what: String
) throws(UnmetRequirement) {
  guard found == expected else {
    throw UnmetRequirement(description: "\(what): expected \(expected), found \(found)")
  }
}

/// - Throws: `UnmetRequirement` unless the decision throws `fault`.
func expect<Answer: Sendable>(
  _ fault: StoreFault, from store: any Store, _ what: String,
  _ decide: @escaping @Sendable (any Transaction) throws(StoreFault) -> Answer
) async throws(UnmetRequirement) {
  let found: String
  do throws(StoreFault) {
    found = "the answer \(try await store.transact(decide))"
  } catch {
    if error == fault { return }
    found = "\(error)"
  }
  throw UnmetRequirement(description: "\(what): expected \(fault), found \(found)")
}
