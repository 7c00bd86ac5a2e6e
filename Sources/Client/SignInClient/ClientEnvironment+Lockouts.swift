import SignInEngine
import SignInModel

// The accounts that this device knows to be locked (T-05).
extension ClientEnvironment {
  /// The event with the stored lockouts; `nil` if storage cannot tell.
  func readLockouts() async -> StorageEvent? {
    guard areLockoutsStored else { return nil }
    switch await storage.read(.lockouts) {
    case .value(let text): return .lockoutsRead(text)
    case .absent: return .lockoutsRead(nil)
    case .temporarilyUnreadable, .damaged, .locked: return nil
    }
  }

  func saveLockouts(_ text: Secret?) async {
    do throws(StorageFault) {
      if let text {
        try await storage.write(text, to: .lockouts)
      } else {
        try await storage.erase(.lockouts)
      }
      areLockoutsStored = true
    } catch {
      areLockoutsStored = false
    }
  }
}
