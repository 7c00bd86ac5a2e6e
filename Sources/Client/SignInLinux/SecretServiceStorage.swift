import CSecret
package import Foundation
package import SignInClient
package import SignInEngine
package import SignInModel
import Synchronization

/// Stores secrets in the Secret Service of the desktop, such as gnome-keyring, with libsecret.
///
/// Attributes of items are not encrypted there, so they contain only the names of the app and the
/// slot. Without a Secret Service nothing is stored.
///
/// The keyring is not cleared when an app is removed. So each item contains the name of the
/// installation that wrote it. That name is a file in the folder of the app's own data. An item of
/// an earlier installation is erased when it is found, and is never used (P-12, L-21).
package final class SecretServiceStorage: SecureStorage {
  private let app: String
  private let marker: MarkerFile
  private let renewals: ProcessLock
  private let changes: ProcessLock
  /// Whether there was a Secret Service since this process started.
  ///
  /// If it stops later, the session is not treated as absent (L-20).
  private let wasThere = Mutex(false)
  /// libsecret blocks while D-Bus answers, and while the user types the keyring password.
  private let queue = DispatchQueue(label: "fieldpass.secret-service")

  /// - Parameters:
  ///   - app: A name that is different for each app of one user.
  ///   - data: The folder for the app's own data, which must be deleted together with the app.
  ///     Without it, the folder is `$XDG_DATA_HOME/<app>` or `~/.local/share/<app>`. Flatpak and
  ///     Snap have such a folder for each app. A package of the distribution must delete the folder
  ///     itself.
  package init(app: String, data: URL? = nil) {
    self.app = app
    let folder = data ?? Self.usualData(of: app)
    marker = MarkerFile(folder: folder)
    renewals = ProcessLock(in: folder, for: .renewal)
    changes = ProcessLock(in: folder, for: .change)
  }

  private static func usualData(of app: String) -> URL {
    let environment = ProcessInfo.processInfo.environment
    let home = environment["HOME"] ?? NSHomeDirectory()
    // The XDG specification treats an empty value or a relative path as unset.
    let given = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    let data = given ?? "\(home)/.local/share"
    return URL(fileURLWithPath: data, isDirectory: true).appendingPathComponent(app)
  }

  package func read(_ slot: StorageSlot) async -> StorageReading {
    await onQueue { self.lookUp(slot) }
  }

  package func write(_ text: Secret, to slot: StorageSlot) async throws(StorageFault) {
    try await onQueue { self.store(text, in: slot) }.get()
  }

  package func erase(_ slot: StorageSlot) async throws(StorageFault) {
    try await onQueue { self.clear(slot) }.get()
  }

  package func claimRenewal() async -> Bool { await renewals.claim() == .claimed }

  package func releaseRenewal() async { renewals.release() }

  package func claimChange() async -> Bool { await changes.claim() == .claimed }

  package func releaseChange() async { changes.release() }

  private func onQueue<Value: Sendable>(
    _ work: @escaping @Sendable () -> Value
  ) async -> Value {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: work()) }
    }
  }

  // MARK: libsecret

  /// The result for an item that stays locked is `temporarilyUnreadable`, never `absent` (L-20).
  private func lookUp(_ slot: StorageSlot, isFirst: Bool = true) -> StorageReading {
    var error: UnsafeMutablePointer<GError>?
    guard let service = secret_service_get_sync(SECRET_SERVICE_OPEN_SESSION, nil, &error) else {
      return Self.isAbsence(error) && !wasThere.withLock({ $0 }) ? .absent : .temporarilyUnreadable
    }
    wasThere.withLock { $0 = true }
    defer { g_object_unref(UnsafeMutableRawPointer(service)) }
    let attributes = attributes(of: slot)
    defer { g_hash_table_unref(attributes) }
    let found = secret_service_search_sync(
      service, nil, attributes, SECRET_SEARCH_UNLOCK, nil, &error)
    if error != nil {
      g_error_free(error)
      return .temporarilyUnreadable
    }
    guard let found else { return .absent }
    defer { g_list_free_full(found) { fp_release($0) } }
    guard let item = fp_item(found.pointee.data), secret_item_get_locked(item) == 0,
      secret_item_load_secret_sync(item, nil, nil) != 0, let value = secret_item_get_secret(item)
    else { return .temporarilyUnreadable }
    defer { secret_value_unref(UnsafeMutableRawPointer(value)) }
    // This app only writes text.
    guard let text = secret_value_get_text(value) else { return .damaged }
    return own(String(cString: text), slot, isFirst: isFirst)
  }

  /// Reads the text of an item, if this installation wrote it.
  private func own(_ text: String, _ slot: StorageSlot, isFirst: Bool) -> StorageReading {
    guard let install = marker.install() else { return .temporarilyUnreadable }
    let bytes = Array(text.utf8)
    guard let item = InstalledText(bytes) else {
      if InstalledText.isOfLaterVersion(bytes) { return .temporarilyUnreadable }
      // The first versions of this library wrote no name, so this installation takes the item over.
      // The caller detects damaged text.
      _ = store(Secret(text), in: slot)
      return .value(Secret(text))
    }
    if item.install == install { return .value(Secret(item.text)) }
    // An earlier installation wrote this item, and perhaps the others. If an item cannot be erased,
    // the next read tries again.
    _ = clear(slot)
    if isFirst {
      for other in StorageSlot.allCases where other != slot { _ = lookUp(other, isFirst: false) }
    }
    return .absent
  }

  private func store(_ text: Secret, in slot: StorageSlot) -> Result<Void, StorageFault> {
    guard let install = marker.install() else {
      return .failure(.failed("the folder of the app's data cannot be written"))
    }
    var error: UnsafeMutablePointer<GError>?
    let item = InstalledText(install: install, text: text.revealed)
    let value = secret_value_new(String(decoding: item.bytes, as: UTF8.self), -1, "text/plain")
    defer { secret_value_unref(UnsafeMutableRawPointer(value)) }
    let attributes = attributes(of: slot)
    defer { g_hash_table_unref(attributes) }
    let isStored = secret_service_store_sync(
      nil, nil, attributes, SECRET_COLLECTION_DEFAULT, "Fieldpass: \(app)", value, nil, &error)
    return isStored != 0 ? .success(()) : .failure(Self.fault(error))
  }

  private func clear(_ slot: StorageSlot) -> Result<Void, StorageFault> {
    var error: UnsafeMutablePointer<GError>?
    let attributes = attributes(of: slot)
    defer { g_hash_table_unref(attributes) }
    // The result says only whether an item existed. Only `error` means a failure.
    _ = secret_service_clear_sync(nil, nil, attributes, nil, &error)
    return error == nil ? .success(()) : .failure(Self.fault(error))
  }

  private func attributes(of slot: StorageSlot) -> OpaquePointer? {
    let table = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free)
    let pairs = [("xdg:schema", "fieldpass"), ("app", app), ("slot", slot.rawValue)]
    for (name, value) in pairs { g_hash_table_insert(table, g_strdup(name), g_strdup(value)) }
    return table
  }

  private static func isAbsence(_ error: UnsafeMutablePointer<GError>?) -> Bool {
    guard let error else { return false }
    defer { g_error_free(error) }
    return fp_is_absence(error) != 0
  }

  private static func fault(_ error: UnsafeMutablePointer<GError>?) -> StorageFault {
    guard let error else { return .failed("no reason given") }
    defer { g_error_free(error) }
    if fp_is_absence(error) != 0 { return .noSafePlace }
    return .failed(String(cString: error.pointee.message))
  }
}
