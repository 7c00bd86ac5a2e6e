import Glibc
import SQLStore
import SignInModel
import SignInService

// Writes numbered jobs from many tasks until it is killed. It reports each number after the write
// is durable. The test that kills it then looks for every reported number.

let writerCount: Int64 = 16

/// One `write` for each line, so that a kill never cuts a number.
@Sendable func report(_ number: Int64) {
  let line = Array("\(number)\n".utf8)
  guard write(STDOUT_FILENO, line, line.count) == line.count else { exit(1) }
}

func numbered(_ number: Int64) -> Job {
  Job(
    id: "\(number)", account: AccountID("account-\(number % 7)"), title: "Job \(number)",
    customer: String(repeating: "c", count: Int(number % 200)), place: "",
    startsAt: .init(seconds: number),
    endsAt: .init(seconds: number + 1), status: .scheduled
  )
}

guard CommandLine.arguments.count == 3, let first = Int64(CommandLine.arguments[2]) else { exit(2) }
let store = try SQLiteStore(directory: CommandLine.arguments[1])
await withThrowingTaskGroup(of: Void.self) { group in
  for writer in 0..<writerCount {
    group.addTask {
      for number in stride(from: first + writer, to: .max, by: Int(writerCount)) {
        let job = numbered(number)
        try await store.transact(about: []) { transaction throws(StoreFault) in
          try transaction.save(job)
        }
        report(number)
      }
    }
  }
}
