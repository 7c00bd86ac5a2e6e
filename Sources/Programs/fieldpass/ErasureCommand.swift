import JSONText
import SignInModel
import SignInService
import SignInWire
import Threads

/// Runs one use case for the named account and waits for the result.
private func performed<Value: Sendable>(
  on name: String, in world: World,
  _ act: @escaping @Sendable (AccountID) async throws(Refusal) -> Value
) throws(Refusal) -> Value {
  try BlockingCall.run { () throws(Refusal) in
    try await act(try await AccountAdministration.identify(name, in: world))
  }
}

/// `fieldpass account erase`: erases all data of a person.
struct ErasureCommand: Sendable {
  let name: String

  /// Returns the exit status.
  func run(in world: World) -> Int32 {
    AccountAdministration.status { () throws(Refusal) in
      let isEmptied = try performed(on: name, in: world) { (id) throws(Refusal) in
        try await eraseAccount(id, rules: .operatorCommand, in: world)
      }
      if isEmptied { return ExitStatus.done }
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
    AccountAdministration.status { () throws(Refusal) in
      let export = try performed(on: name, in: world) { (id) throws(Refusal) in
        try await exportAccount(id, rules: .operatorCommand, in: world)
      }
      LineWriter.standardOutput.write(String(decoding: export.utf8, as: UTF8.self))
      return ExitStatus.done
    }
  }
}
