internal import Synchronization

/// The problems of the database that were found while the store is open.
final class DamageLog: Sendable {
  /// At most this many different problems are stored and reported.
  ///
  /// More of them would not help the operator.
  static let problemLimit = 100

  private struct State {
    var problems: Set<String> = []
    var unreadableCount: Int64 = 0
    var report: (@Sendable (String) -> Void)?
  }

  private let state = Mutex(State())

  /// The number of different problems in the pages of the file.
  var problemCount: Int { state.withLock { $0.problems.count } }

  /// The number of times a record could not be read, because its content is not what this program
  /// writes.
  var unreadableCount: Int64 { state.withLock { $0.unreadableCount } }

  /// Sets the function that reports problems.
  ///
  /// It gets each problem once, also those that were found before.
  func report(_ report: @escaping @Sendable (String) -> Void) {
    let known = state.withLock { state in
      state.report = report
      return state.problems.sorted()
    }
    for problem in known { report(problem) }
  }

  /// Records a page that does not have the file format.
  func note(_ problem: String) {
    let report = state.withLock { state -> (@Sendable (String) -> Void)? in
      guard state.problems.count < Self.problemLimit, state.problems.insert(problem).inserted
      else { return nil }
      return state.report
    }
    report?(problem)
  }

  func noteUnreadable() { state.withLock { $0.unreadableCount += 1 } }
}
