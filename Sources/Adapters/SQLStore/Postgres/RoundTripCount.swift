internal import Synchronization

/// How often connections waited for the database, without the preparation of statements.
final class RoundTripCount: Sendable {
  private let count = Atomic(0)

  var value: Int { count.load(ordering: .relaxed) }

  func increase() { count.add(1, ordering: .relaxed) }
}
