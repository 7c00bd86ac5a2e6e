import JSONText
import SignInModel
import SignInService
import SignInWire
import Synchronization
import Threads

/// Runs one use case for the named account and waits for the result.
private func performed<Value: Sendable>(
  on name: String, in world: World,
  _ act: @escaping @Sendable (AccountID) async -> Outcome<Value>
) -> Outcome<Value> {
  let made = Mutex<Outcome<Value>?>(nil)
  BlockingCall.run {
    let outcome: Outcome<Value>
    switch await AccountAdministration.identify(name, in: world) {
    case .success(let id): outcome = await act(id)
    case .refusal(let refusal): outcome = .refusal(refusal)
    }
    made.withLock { $0 = outcome }
  }
  guard let outcome = made.withLock({ $0 }) else {
    preconditionFailure("Blocking.run returned before the operation ended")
  }
  return outcome
}

/// `fieldpass account erase`: erases all data of a person.
struct ErasureCommand: Sendable {
  let name: String

  /// Returns the exit status.
  func run(in world: World) -> Int32 {
    switch performed(
      on: name, in: world, { await eraseAccount($0, rules: .operatorCommand, in: world) })
    {
    case .refusal(let refusal): return AccountAdministration.refused(refusal)
    case .success(true): return ExitStatus.done
    case .success(false):
      complain(
        "the account is erased, but the database's log of changes could not be emptied",
        hint: "it is in use: run `fieldpass account list` later, or restart the server"
      )
      return ExitStatus.failed
    }
  }
}

/// `fieldpass account export`: prints everything that is stored about a person.
struct PersonExport: Sendable {
  let name: String

  /// Returns the exit status.
  func run(in world: World) -> Int32 {
    switch performed(
      on: name, in: world, { await exportAccount($0, rules: .operatorCommand, in: world) })
    {
    case .refusal(let refusal): return AccountAdministration.refused(refusal)
    case .success(let export):
      LineWriter.standardOutput.write(String(decoding: export.utf8, as: UTF8.self))
      return ExitStatus.done
    }
  }
}
