import Cryptography
import SQLStore
import SignInModel
import SignInService
import SystemPorts
import Threads

/// A new master key in place of a lost one.
///
/// Its file has another name until the store records the key. So an interrupted call leaves either
/// an unchanged store or a key that the next call finds, and `master.key` is always a key in use.
struct MasterKeyReplacement {
  private let place: DataPlace
  private let path: String
  private let isContinued: Bool

  init(at place: DataPlace) throws(StartFault) {
    self.place = place
    path = KeyFiles.unrecordedMaster(in: place.folder)
    do throws(FileFault) {
      // On a disk without links, an interrupted call can leave an empty file. It was not recorded.
      let found = Files.exists(path) ? try Files.readPrivate(path) : []
      isContinued = found.count == Keyring.masterByteCount
    } catch {
      throw StartFault(error)
    }
  }

  /// Records the key in the store, and then gives its file the final name.
  ///
  /// - Returns: The exit status of a refusal; `nil` if the key is in use.
  func run() throws(StartFault) -> Int32? {
    let store: any OpenedStore
    let keys: StoreKeys
    do throws(StartFault) {
      keys = try writtenKeys()
      store = try place.openWithAnyKey(keys)
    } catch {
      // An earlier call may have recorded the key of its file.
      if !isContinued { try remove() }
      throw error
    }
    defer { store.close() }
    switch try record(keys, in: store) {
    case .replaced:
      try publish()
      return nil
    case .serversRun(let count):
      try remove()
      let servers = count == 1 ? "a running server uses" : "\(count) running servers use"
      return KeysCommand.refused(
        "\(servers) \(place.databaseName), so the key is not lost; nothing was changed",
        hint: "copy `keys/master.key` from there to `\(place.folder)/keys`; if no server runs, try "
          + "again after \(NodeReport.validSeconds) seconds")
    case .replacedByAnother:
      try remove()
      return KeysCommand.refused(
        "another `fieldpass keys create` has just created a key for \(place.databaseName); nothing "
          + "was changed",
        hint:
          "copy `keys/master.key` from there to `\(place.folder)/keys`; if that key is lost too, "
          + "try again after \(NodeReport.validSeconds) seconds")
    }
  }

  private func writtenKeys() throws(StartFault) -> StoreKeys {
    do throws(FileFault) {
      if !isContinued {
        try Files.makePrivateDirectory(place.folder + "/keys")
        try Files.remove(path)
        try Files.createPrivate(path, SecureRandom.bytes(Keyring.masterByteCount))
      }
      return Keyring.storeKeys(master: try KeyFiles.master(at: path))
    } catch {
      throw StartFault(error)
    }
  }

  /// Links the security log with the new key, and replaces signing keys that the old one sealed.
  ///
  /// A server refuses a store if its log names another key.
  private func record(
    _ keys: StoreKeys, in store: any OpenedStore
  ) throws(StartFault) -> SharedSigningKeys.LossResult {
    let clock = MachineClock()
    let found = BlockingCall.run { () -> Result<SharedSigningKeys.LossResult, StoreFault> in
      do throws(StoreFault) {
        if let table = store.signingKeyStore {
          return .success(
            try await SharedSigningKeys(in: table, keys: keys).replaceLost(clock: clock))
        }
        try await store.transact(about: [.installation]) { (transaction) throws(StoreFault) in
          try transaction.replaceLostKey(at: clock.now())
        }
        return .success(.replaced)
      } catch {
        return .failure(error)
      }
    }
    switch found {
    case .success(let result): return result
    case .failure(let fault):
      // The decision may have become durable although its answer was lost.
      throw StartFault(
        "the new key may not be recorded in \(place.databaseName): \(fault)",
        hint: "check the \(place.server == nil ? "disk" : "database server"), and run the same "
          + "command again: it continues with the key in `\(path)`")
    }
  }

  private func publish() throws(StartFault) {
    do throws(FileFault) {
      // A second name would return the key at the next loss, even if it has leaked by then.
      try Files.move(path, to: KeyFiles.path(of: .master, in: place.folder))
    } catch {
      throw StartFault(
        error.what, hint: "\(place.databaseName) uses the key in `\(path)`; rename it to master.key"
      )
    }
  }

  private func remove() throws(StartFault) {
    do throws(FileFault) { try Files.remove(path) } catch { throw StartFault(error) }
  }
}
