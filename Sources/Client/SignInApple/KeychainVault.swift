import SignInClient

/// Texts in the keychain, each with the name of the install that wrote it; and what the keychain's
/// answers mean.
///
/// `-25308` says that the device is locked. But locked phones have also been seen to answer
/// `-25300`, "no such item" (L-20). So that answer is believed only when the keychain has just
/// proved to be open, by an item that is always there.
struct KeychainVault: Sendable {
  enum Reading: Equatable, Sendable {
    case value(String)
    case absent
    case cannotTell
    case damaged
  }

  enum Refusal: Error, Equatable, Sendable {
    /// This build of the app may not use a keychain at all.
    case noKeychain
    case failed(KeychainStatus)
    /// The container did not keep the install's name.
    case noMarker
  }

  /// Always there, to tell an open keychain from one that only says that it is empty.
  private static let witness = "witness"

  let service: String
  let accessGroup: String?
  let security: any SecurityFunctions
  let marker: any InstallMarker

  init(
    service: String, accessGroup: String? = nil, security: any SecurityFunctions,
    marker: any InstallMarker
  ) {
    self.service = service
    self.accessGroup = accessGroup
    self.security = security
    self.marker = marker
  }

  func name(of account: String) -> KeychainItemName {
    KeychainItemName(service: service, account: account, accessGroup: accessGroup)
  }

  // MARK: Texts

  func read(_ account: String) -> Reading {
    guard let install = marker.install() else { return .cannotTell }
    var reading = look(account, install)
    // Looked again: it may have been locked a moment ago. Once open it is so until a restart.
    if reading == .absent { reading = isOpen(install) ? look(account, install) : .cannotTell }
    return reading
  }

  private func look(_ account: String, _ install: String) -> Reading {
    let (status, bytes) = security.copyMatching(name(of: account).reading)
    switch status {
    case .success:
      guard let bytes else { return .cannotTell }
      guard let item = InstalledText(bytes) else {
        return InstalledText.isOfLaterVersion(bytes) ? .cannotTell : .damaged
      }
      if item.install == install { return .value(item.text) }
      // Left behind by an install that was deleted. Where this fails, it is met again.
      _ = security.delete(name(of: account).query)
      return .absent
    case .itemNotFound: return .absent
    default: return .cannotTell
    }
  }

  func write(_ text: String, to account: String) throws(Refusal) {
    guard let install = marker.install() else { throw .noMarker }
    let (name, bytes) = (name(of: account), InstalledText(install: install, text: text).bytes)
    let change = KeychainItemName.change(to: bytes)
    var status = security.update(name.query, to: change)
    if status == .itemNotFound { status = security.add(name.adding(bytes)) }
    // Somebody else was quicker, or "no such item" was not true.
    if status == .duplicateItem { status = security.update(name.query, to: change) }
    switch status {
    case .success: return
    case .missingEntitlement: throw .noKeychain
    default: throw .failed(status)
    }
  }

  /// Deletes a text, or disowns it.
  ///
  /// What cannot be deleted now counts as left behind by another install, and is deleted when it
  /// is met. So signing out succeeds on a device that is locked, too (L-32).
  func erase(_ account: String) throws(Refusal) {
    guard let install = marker.install() else { throw .noMarker }
    let status = security.delete(name(of: account).query)
    if status == .success || (status == .itemNotFound && isOpen(install)) { return }
    if !marker.write(type(of: marker).newName()) { throw .failed(status) }
  }

  // MARK: Whether to believe it

  /// Whether the keychain can be read now, so that "no such item" is true.
  func isOpen(_ install: String) -> Bool {
    let name = name(of: Self.witness)
    switch security.copyMatching(name.reading).status {
    case .success: return true
    // A keychain that is locked takes nothing, or knows very well that it has this item already.
    case .itemNotFound:
      let bytes = InstalledText(install: install, text: "").bytes
      return security.add(name.adding(bytes)) == .success
    default: return false
    }
  }
}
