public import SignInEngine

/// A shell that runs the scenarios of the contract.
///
/// It has the tabs `a` and `b`, or two processes of an app, with one storage. Each line of its log
/// begins with the tab.
public protocol ContractShell: AnyObject {
  var log: [String] { get async }
  /// The core of the tab asks for these effects and has this screen.
  func perform(_ effects: [Effect], screen: String?, in tab: String) async
  /// Waits until the log satisfies the condition, or gives up after a time.
  func wait(until isLogged: @Sendable ([String]) -> Bool) async
  func hold() async
  func free(_ name: String) async
  func refuse(_ tab: String) async
  func tell(_ tab: String) async
  func kill(_ tab: String) async
  func diskHas(_ text: String) async -> Bool
  func copySession() async
  func copyOpens() async -> Bool
}

/// A law of the contract that a shell breaks.
public struct BrokenLaw: Error, CustomStringConvertible {
  public let description: String
}

extension ShellScenario {
  /// - Throws: `BrokenLaw` if the shell breaks the contract.
  public func run(_ shell: some ContractShell) async throws {
    for step in steps { try await run(step, shell) }
    let log = await shell.log
    func first(_ words: String) -> Int? { log.firstIndex { $0.hasPrefix(words) } }
    for (earlier, later) in order {
      guard let earlierPlace = first(earlier), let laterPlace = first(later),
        earlierPlace < laterPlace
      else { throw broken("\(earlier), then \(later)", log) }
    }
    for words in once where log.count(where: { $0.hasPrefix(words) }) != 1 {
      throw broken("once: \(words)", log)
    }
    for words in never where first(words) != nil { throw broken("never: \(words)", log) }
  }

  private func run(_ step: Step, _ shell: some ContractShell) async throws {
    switch step {
    case .perform(let effects, let screen, let tab):
      await shell.perform(effects, screen: screen, in: tab)
    case .await(let words, let count): try await expect(words, count, in: shell)
    case .reads(let words, let tab):
      let start = "\(tab) event storage_read"
      let count = await shell.log.count { $0.hasPrefix(start) }
      await shell.perform([.readSession], screen: nil, in: tab)
      try await expect(start, count + 1, in: shell)
      let found = await shell.log.last { $0.hasPrefix(start) }
      guard found == "\(start) \(words)" else {
        throw broken("reads \(words)", await shell.log)
      }
    case .hold: await shell.hold()
    case .free(let name): await shell.free(name)
    case .refuse(let tab): await shell.refuse(tab)
    case .tell(let tab): await shell.tell(tab)
    case .kill(let tab): await shell.kill(tab)
    case .diskLacks(let text):
      if await shell.diskHas(text) { throw broken("the disk has \(text)", await shell.log) }
    case .copySession: await shell.copySession()
    case .copyOpens(let isOpen):
      if await shell.copyOpens() != isOpen {
        throw broken("the copy opens: \(!isOpen)", await shell.log)
      }
    }
  }

  private func expect(_ words: String, _ count: Int, in shell: some ContractShell) async throws {
    let isLogged = { @Sendable (log: [String]) in log.count { $0.hasPrefix(words) } >= count }
    await shell.wait(until: isLogged)
    guard isLogged(await shell.log) else { throw broken("never: \(words)", await shell.log) }
  }

  private func broken(_ words: String, _ log: [String]) -> BrokenLaw {
    BrokenLaw(description: "\(name): \(words); \(log)")
  }
}
