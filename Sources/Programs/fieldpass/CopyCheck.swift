import SQLStore
import SignInService
import Threads

/// The results of a check of a copied database.
struct CopyCheck {
  let schema: Int64
  /// `nil` for a copy with an earlier schema.
  ///
  /// Only the program of that version can check its log.
  let chain: EventChain?

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

  private init(schema: Int64, chain: EventChain?) {
    self.schema = schema
    self.chain = chain
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
      guard (1...SQLiteBackup.newestSchema).contains(schema) else {
        throw StoreFault.unusable(
          "`\(name)` has schema \(schema); this program reads 1 to \(SQLiteBackup.newestSchema)")
      }
      guard schema == SQLiteBackup.newestSchema else {
        return CopyCheck(schema: schema, chain: nil)
      }
      if try await copy.read({ (transaction) throws(StoreFault) in try transaction.hasOtherKey() })
      {
        throw StoreFault.unusable("`\(name)` was made with another master key")
      }
      return CopyCheck(schema: schema, chain: try await verifyEvents(in: copy, key: keys.events))
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
  var log: (text: String, isBroken: Bool) {
    guard let chain else {
      return ("not checked: schema \(schema) is of an earlier version", false)
    }
    return Self.log(of: chain)
  }

  /// The result for a security log, and whether an operator must examine it.
  static func log(of chain: EventChain) -> (text: String, isBroken: Bool) {
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
