import Foundation
package import SignInClient
import SignInEngine
package import SignInModel

/// An app lock in the keychain.
///
/// Only the fingers and faces that were enrolled when the lock was set can open its item. The
/// system deletes the item when the passcode is removed.
package final class KeychainLock: DeviceLock {
  private static let lock = "lock"
  private static let enrolment = "enrolment"

  private let vault: KeychainVault
  private let owner: any UserVerification
  private let reason: String
  /// A call blocks while the system shows the prompt.
  private let queue = DispatchQueue(label: "fieldpass.lock")

  init(_ vault: KeychainVault, owner: any UserVerification, reason: String) {
    self.vault = vault
    self.owner = owner
    self.reason = reason
  }

  package func isPossible() async -> Bool {
    let owner = owner
    return await queue.value { owner.check() } != .impossible
  }

  package func close(over secret: Secret) async throws(LockFault) {
    try await queue.value { self.closing(secret) }.get()
  }

  package func open() async throws(LockFault) -> Secret {
    try await queue.value { self.opening() }.get()
  }

  package func remove() async {
    let name = vault.name(of: Self.lock)
    let security = vault.security
    // An item that could not be deleted is useless, because its session is not stored any more.
    _ = await queue.value { security.delete(name.query) }
  }

  // MARK: What the answers mean

  private func closing(_ secret: Secret) -> Result<Void, LockFault> {
    let enrolment: [UInt8]
    switch owner.check() {
    case .possible(let now): enrolment = now
    case .lockedOut: return .failure(LockFault(.busy))
    case .impossible: return .failure(LockFault(.impossible))
    }
    guard let install = vault.marker.install() else { return .failure(LockFault(.busy)) }
    // The enrolment is stored before the lock. With an older one, a wrong finger would look like a
    // new one.
    do throws(KeychainVault.Refusal) {
      try vault.write(Base64URL.encode(enrolment), to: Self.enrolment)
    } catch {
      return .failure(LockFault(error == .noKeychain ? .impossible : .busy))
    }
    let name = vault.name(of: Self.lock)
    // An item with access control is deleted and added again, because a change would show a prompt.
    _ = vault.security.delete(name.query)
    let item = InstalledText(install: install, text: secret.revealed)
    switch vault.security.add(name.addingForOwner(item.bytes)) {
    case .success: return .success(())
    case .interactionNotAllowed, .duplicateItem: return .failure(LockFault(.busy))
    default: return .failure(LockFault(.impossible))
    }
  }

  private func opening() -> Result<Secret, LockFault> {
    guard let install = vault.marker.install() else { return .failure(LockFault(.busy)) }
    let query = vault.name(of: Self.lock).readingByOwner(reason: reason)
    let (status, bytes) = vault.security.copyMatching(query)
    switch status {
    case .success:
      guard let bytes, let item = InstalledText(bytes) else { return .failure(LockFault(.busy)) }
      guard item.install == install else { return .failure(LockFault(.changed)) }
      return .success(Secret(item.text))
    case .userCanceled: return .failure(LockFault(.cancelled))
    // The status is the same after another enrolment and after a wrong finger.
    case .authFailed: return .failure(LockFault(hasOtherEnrolment() ? .changed : .cancelled))
    case .itemNotFound: return .failure(LockFault(vault.isOpen(install) ? .changed : .busy))
    default: return .failure(LockFault(.busy))
    }
  }

  private func hasOtherEnrolment() -> Bool {
    guard case .possible(let now) = owner.check(),
      case .value(let before) = vault.read(Self.enrolment)
    else { return false }
    return before != Base64URL.encode(now)
  }
}
