import Foundation
package import SignInClient
package import SignInEngine
package import SignInModel

/// Stores secrets in the keychain of this device.
///
/// They can be read after the first unlock, so that a session is renewed in the background too.
/// They are not in iCloud, and no backup of them works on another device.
package final class KeychainStorage: SecureStorage {
  private let vault: KeychainVault
  private let renewals = ClientGate()
  private let changes = ClientGate()
  /// A call to the keychain can block while the system is busy.
  private let queue = DispatchQueue(label: "fieldpass.keychain")

  init(_ vault: KeychainVault) { self.vault = vault }

  package func read(_ slot: StorageSlot) async -> StorageReading {
    let vault = vault
    switch await queue.value({ vault.read(slot.rawValue) }) {
    case .value(let text): return .value(Secret(text))
    case .absent: return .absent
    case .temporarilyUnreadable: return .temporarilyUnreadable
    case .damaged: return .damaged
    }
  }

  package func write(_ text: Secret, to slot: StorageSlot) async throws(StorageFault) {
    let vault = vault
    try await queue.value {
      Self.response { () throws(KeychainVault.Refusal) in
        try vault.write(text.revealed, to: slot.rawValue)
      }
    }.get()
  }

  package func erase(_ slot: StorageSlot) async throws(StorageFault) {
    let vault = vault
    try await queue.value {
      Self.response { () throws(KeychainVault.Refusal) in try vault.erase(slot.rawValue) }
    }.get()
  }

  /// Waits until no other renewal of this process runs.
  ///
  /// A lock between processes is not needed, because only the app uses its access group. Extensions
  /// must not use it.
  package func claimRenewal() async -> Bool {
    await renewals.claim()
    return true
  }

  package func releaseRenewal() async { await renewals.release() }

  package func claimChange() async -> Bool {
    await changes.claim()
    return true
  }

  package func releaseChange() async { await changes.release() }

  private static func response(
    _ act: () throws(KeychainVault.Refusal) -> Void
  ) -> Result<Void, StorageFault> {
    do throws(KeychainVault.Refusal) {
      try act()
      return .success(())
    } catch {
      switch error {
      case .noKeychain: return .failure(.noSafePlace)
      case .noMarker: return .failure(.failed("the app's container cannot be written"))
      case .failed(let status):
        return .failure(.failed("the keychain answered \(status.number)"))
      }
    }
  }
}

/// Allows one client at a time to do something, among the clients of one `.apple(…)` value (L-22,
/// L-32).
///
/// Two values of one app have two gates, so they do not wait for each other.
actor ClientGate {
  private var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func claim() async {
    guard isTaken else { return isTaken = true }
    await withCheckedContinuation { waiting.append($0) }
  }

  func release() {
    if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
  }
}

extension DispatchQueue {
  /// Runs `work` on this queue and returns its result, without blocking a thread of Swift
  /// concurrency.
  func value<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      async { continuation.resume(returning: work()) }
    }
  }
}
