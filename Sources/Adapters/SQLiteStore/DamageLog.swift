internal import Synchronization

/// What was found wrong with the database while the store is open.
final class DamageLog: Sendable {
  /// Different problems that are remembered and told; more of them say nothing new.
  static let problemLimit = 100

  private struct State {
    var problems: Set<String> = []
    var unreadableCount: Int64 = 0
    var tell: (@Sendable (String) -> Void)?
  }

  private let state = Mutex(State())

  /// How many different problems the pages of the file have.
  var problemCount: Int { state.withLock { $0.problems.count } }

  /// How many records were read that do not hold what this program writes.
  var unreadableCount: Int64 { state.withLock { $0.unreadableCount } }

  /// Tells each problem once, those found before included.
  func tell(_ tell: @escaping @Sendable (String) -> Void) {
    let known = state.withLock { state in
      state.tell = tell
      return state.problems.sorted()
    }
    for problem in known { tell(problem) }
  }

  /// A page that is not what the file's format demands.
  func note(_ problem: String) {
    let tell = state.withLock { state -> (@Sendable (String) -> Void)? in
      guard state.problems.count < Self.problemLimit, state.problems.insert(problem).inserted
      else { return nil }
      return state.tell
    }
    tell?(problem)
  }

  func noteUnreadable() { state.withLock { $0.unreadableCount += 1 } }
}
