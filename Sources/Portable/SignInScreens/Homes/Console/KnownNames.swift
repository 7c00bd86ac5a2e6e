import SignInEngine
import SignInFlow
import SignInModel
import SignInWire

/// The names of what the identifiers of a record mean, as far as the console has read them.
struct KnownNames {
  let apps: [PolicyCard]
  let accounts: [AccountEntry]

  /// The name of an app, or its identifier.
  func app(_ id: ClientID) -> String { apps.first { $0.id == id }?.name ?? id.text }

  func account(_ id: AccountID?) -> AccountEntry? { accounts.first { $0.id == id } }
}
