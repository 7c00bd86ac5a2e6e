import SQLStore
import SignInModel
import SignInService
import Synchronization
import SystemPorts
import Threads

extension MessagesCommand {
  /// `fieldpass messages cost`: reports the cost of messages in a range of days.
  static func reportCosts(_ options: CostOptions) -> Int32 {
    let days = options.days(today: CalendarDay(MachineClock().now()))
    do throws(StartFault) {
      let store = try RunningServer.open(try options.place.withDatabase())
      defer { store.close() }
      let status = Mutex<Int32>(ExitStatus.done)
      BlockingCall.run {
        do throws(StoreFault) {
          let lines = try await SignInService.reportCosts(
            from: days.first, through: days.last, by: options.columns, in: store
          )
          print(lines, of: options.columns, days)
        } catch {
          complain("the costs cannot be read", hint: "check the folder named with --data")
          status.withLock { $0 = ExitStatus.failed }
        }
      }
      return status.withLock { $0 }
    } catch {
      for (what, hint) in error.complaints { complain(what, hint: hint) }
      return ExitStatus.failed
    }
  }

  private static func print(
    _ lines: [CostLine], of columns: [CostColumn], _ days: (first: CalendarDay, last: CalendarDay)
  ) {
    let numbers = ["messages", "parts", "delivered", "undelivered", "cost", "unpriced"]
    let head = columns.map(\.rawValue) + numbers
    LineWriter.standardOutput.write(head.joined(separator: "\t"))
    for line in lines {
      let cost = line.cost
      let counts = [cost.messages, cost.parts, cost.delivered, cost.undelivered].map(String.init)
      let words = line.words + counts + [units(cost.price), String(cost.unpriced)]
      LineWriter.standardOutput.write(words.joined(separator: "\t"))
    }
    let total = lines.reduce(0) { $0 + $1.cost.price }
    LineWriter.standardError.write(
      "Together \(units(total)), from \(days.first.text) to \(days.last.text) in UTC.")
  }

  /// Formats millionths as a decimal number.
  private static func units(_ millionths: Int64) -> String {
    let fraction = String(millionths % 1_000_000)
    return "\(millionths / 1_000_000)." + String(repeating: "0", count: 6 - fraction.count)
      + fraction
  }
}
