import SQLStore
import SignInService

/// All kinds of stores that a configuration may name.
///
/// To add a store, add the kind that its adapter declares.
enum StoreKinds {
  static let all = [SQLiteStore.kind, PostgresStore.kind]
}
