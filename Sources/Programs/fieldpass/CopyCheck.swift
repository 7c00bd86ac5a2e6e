import SQLStore
import SignInService
import SystemPorts
import Threads

/// The results of a check of a copied database.
struct CopyCheck {
  let schema: Int64
  private let result: LogCheck

  /// Reads every page and every event of a copy.
  ///
  /// `name` is the path of the file in messages: the operator knows only the file that was copied.
  ///
  /// - Throws: If the copy is damaged, is not a database of this program, or belongs to other keys.
  init(_ file: String, named name: String, keys: StoreKeys) throws(StartFault) {
    let outcome = BlockingCall.run { () -> Result<CopyCheck, StartFault> in
      do throws(StartFault) { return .success(try await CopyCheck.read(file, name, keys)) } catch {
        return .failure(error)
      }
    }
    self = try outcome.get()
  }

  private init(schema: Int64, result: LogCheck) {
    self.schema = schema
    self.result = result
  }

  private static func read(
    _ file: String, _ name: String, _ keys: StoreKeys
  ) async throws(StartFault) -> CopyCheck {
    do throws(StoreFault) {
      let copy = try SQLiteBackup(file: file, keys: keys)
      let problems = try copy.integrityProblems()
      if let problem = problems.first {
        throw StoreFault.unusable("`\(name)` is damaged: \(problem)")
      }
      let schema = try copy.schema()
      guard schema == SQLiteBackup.newestSchema else {
        throw StoreFault.unusable(
          "`\(name)` has schema \(schema); this program reads \(SQLiteBackup.newestSchema)")
      }
      if try await copy.read({ (transaction) throws(StoreFault) in try transaction.hasOtherKey() })
      {
        throw StoreFault.unusable("`\(name)` was made with another master key")
      }
      return CopyCheck(schema: schema, result: try await LogCheck(copy, keys))
    } catch {
      switch error {
      case .unusable(let why), .unavailable(let why):
        throw StartFault(
          why.replacing(file, with: name), hint: "use a complete backup and its own keys")
      case .conflict: throw StartFault("`\(name)` is in conflict", hint: "use another backup")
      }
    }
  }

  /// The result for the security log, and whether an operator must examine it.
  var log: (text: String, isBroken: Bool) { result.report }
}

/// The results of a check of the security log of a copy.
struct LogCheck {
  let chain: EventChain
  /// Their age does not matter in a copy: the server that uses it links them.
  let tail: UnlinkedReport

  init(_ store: any Store, _ keys: StoreKeys) async throws(StoreFault) {
    tail = try await readUnlinkedReport(
      in: store, key: keys.events, at: MachineClock().now())
    chain = try await verifyEvents(in: store, key: keys.events)
  }

  /// The result in words, and whether an operator must examine the log.
  var report: (text: String, isBroken: Bool) {
    let found = Self.report(of: chain)
    if tail.refusedCount > 0 {
      return ("\(found.text); \(tail.refusedCount) unlinked events are forged", true)
    }
    if tail.count == 0 { return found }
    return ("\(found.text); \(tail.count) more are not linked yet", found.isBroken)
  }

  private static func report(of chain: EventChain) -> (text: String, isBroken: Bool) {
    switch chain {
    case .unbroken(let count, _): ("\(count) events, unbroken", false)
    case .keyChanged(let at, let count, _):
      ("\(count) events from \(at) on, unbroken; older ones have another key", false)
    case .unkeyed(let count): ("\(count) events, none with a key", true)
    case .foreignKey(let at): ("event \(at) has another key", true)
    case .broken(let at): ("broken at event \(at)", true)
    }
  }
}
