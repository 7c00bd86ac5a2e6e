import SQLiteStore
import SignInService
import Synchronization

extension MessagesCommand {
  /// `fieldpass messages cost`: what the messages of the last day came to.
  static func reportCosts(data: String) -> Int32 {
    guard Files.exists(data + "/fieldpass.db") else {
      complain(
        "there is no database in `\(data)`", hint: "name the server's data folder with --data"
      )
      return ExitStatus.failed
    }
    do throws(StartFault) {
      let store = try RunningServer.open(data)
      defer { store.close() }
      let status = Mutex<Int32>(ExitStatus.done)
      Blocking.run {
        do throws(StoreFault) {
          print(try await SignInService.reportCosts(in: store))
        } catch {
          complain("the delivery log cannot be read", hint: "check the folder named with --data")
          status.withLock { $0 = ExitStatus.failed }
        }
      }
      return status.withLock { $0 }
    } catch {
      for (what, hint) in error.complaints { complain(what, hint: hint) }
      return ExitStatus.failed
    }
  }

  private static func print(_ costs: [MessageCost]) {
    let head = [
      "messenger", "country", "messages", "parts", "delivered", "undelivered", "cost", "unpriced",
    ]
    LineWriter.standardOutput.write(head.joined(separator: "\t"))
    for cost in costs {
      let numbers = [cost.messages, cost.parts, cost.delivered, cost.undelivered]
      let words =
        [cost.messenger, cost.country] + numbers.map(String.init)
        + [units(cost.price), String(cost.unpriced)]
      LineWriter.standardOutput.write(words.joined(separator: "\t"))
    }
    let total = costs.reduce(0) { $0 + $1.price }
    LineWriter.standardError.write("Together \(units(total)), of the last day.")
  }

  /// Millionths as units with their fraction.
  private static func units(_ millionths: Int64) -> String {
    let fraction = String(millionths % 1_000_000)
    return "\(millionths / 1_000_000)." + String(repeating: "0", count: 6 - fraction.count)
      + fraction
  }
}
