import SQLStore
import SignInModel
import SignInService

/// The data folder of a server, and the server of its database if it is not in the folder.
struct DataPlace {
  let folder: String
  let server: Configuration.DatabaseServer?

  /// The database as messages name it.
  var databaseName: String {
    server.map { "the database `\($0.database)` on `\($0.host)`" } ?? "`\(folder)`"
  }

  /// The option that names this place to a command.
  var option: String { server == nil ? "--data \(folder)" : "--config FILE" }

  /// Throws if the database is a file that does not exist.
  func checkDatabase() throws(StartFault) {
    guard server == nil, !Files.exists(folder + "/fieldpass.db") else { return }
    throw StartFault(
      "there is no database in `\(folder)`",
      hint: "name the folder that `fieldpass serve --data` uses, and start the server there once")
  }

  /// Opens the store even if its data was made with other keys, which are lost.
  func openWithAnyKey(_ keys: StoreKeys?) throws(StartFault) -> any OpenedStore {
    if let server { return try Self.open(server, keys) }
    do throws(StoreFault) { return try SQLiteStore(directory: folder, keys: keys) } catch {
      switch error {
      case .unusable(let why): throw StartFault(why, hint: "use another folder with --data")
      case .unavailable(let why):
        throw StartFault(
          "the store cannot be opened: \(why)",
          hint: "check the disk and the file permissions of the folder")
      case .conflict: throw StartFault("the store is in conflict", hint: "restore a backup")
      }
    }
  }

  static func postgresServer(
    _ server: Configuration.DatabaseServer
  ) throws(StartFault) -> PostgresServer {
    let owner = "the database `\(server.database)`"
    // A password that cannot be read prevents the start. Later each connection reads it again.
    _ = try server.password?.read(for: owner)
    return PostgresServer(
      host: server.host, port: server.port, database: server.database,
      credential: .init(user: server.user) { () throws(StoreFault) in
        do throws(StartFault) { return try server.password?.read(for: owner) } catch {
          let reasons = error.complaints.map(\.what)
          throw .unavailable(reasons.joined(separator: "; "))
        }
      },
      encryption: server.usesTLS ? .verified(authorities: server.authoritiesFile) : .none)
  }

  private static func open(
    _ server: Configuration.DatabaseServer, _ keys: StoreKeys?
  ) throws(StartFault) -> any OpenedStore {
    let place = try postgresServer(server)
    do throws(StoreFault) { return try PostgresStore(place, keys: keys) } catch {
      switch error {
      case .unusable(let why):
        throw StartFault(why, hint: "check the version of the database and the rights of the user")
      case .unavailable(let why):
        throw StartFault(why, hint: "check `store` in the configuration, and the database server")
      case .conflict: throw StartFault("the database is in conflict", hint: "restore a backup")
      }
    }
  }
}

/// A store that a program has opened.
protocol OpenedStore: Store {
  /// The number of different problems found in the stored data.
  var damageCount: Int { get }
  /// The number of times a record could not be read.
  var unreadableRecords: Int64 { get }
  /// Reports each problem of the stored data once.
  func watchForDamage(_ report: @escaping @Sendable (String) -> Void)
  /// The ledger of used proofs of all servers with this store; `own` if this is the only one.
  func sharedLedger(beside own: any ProofLedger) -> any ProofLedger
  /// The signing keys in the store; nil if they are in the folder of its only server.
  var signingKeyStore: (any SigningKeyStore)? { get }
  /// The reports of all servers; nil if there is only one server.
  var nodeReportStore: (any NodeReportStore)? { get }
  /// Whether several servers can use the store, so that `followEvents` has a use.
  var isShared: Bool { get }
  /// Calls `act` soon after a server has linked events; it can miss some.
  func followEvents(_ act: @escaping @Sendable () -> Void)
  func close()
}

extension OpenedStore {
  func sharedLedger(beside own: any ProofLedger) -> any ProofLedger { own }
  var signingKeyStore: (any SigningKeyStore)? { nil }
  var nodeReportStore: (any NodeReportStore)? { nil }
  var isShared: Bool { false }
  func followEvents(_ act: @escaping @Sendable () -> Void) {}
}

extension SQLiteStore: OpenedStore {}
extension PostgresStore: OpenedStore {
  var signingKeyStore: (any SigningKeyStore)? { self }
  var nodeReportStore: (any NodeReportStore)? { self }
  var isShared: Bool { true }
}
