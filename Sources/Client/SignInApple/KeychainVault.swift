import SignInClient

/// Texts in the keychain, each with the name of the installation that wrote it.
///
/// The status `-25308` means that the device is locked. But locked phones sometimes answer
/// `-25300`, "no such item" (L-20). So that answer counts only if the keychain is known to be open:
/// an item that always exists must be readable.
struct KeychainVault: Sendable {
  enum Reading: Equatable, Sendable {
    case value(String)
    case absent
    case temporarilyUnreadable
    case damaged
  }

  enum Refusal: Error, Equatable, Sendable {
    /// This build of the app may not use a keychain.
    case noKeychain
    case failed(KeychainStatus)
    /// The name of the installation could not be stored in the app's container.
    case noMarker
  }

  /// An item that always exists.
  ///
  /// It distinguishes an open keychain from one that only seems empty.
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
    guard let install = marker.install() else { return .temporarilyUnreadable }
    var reading = read(account, install)
    // The second read is needed because the keychain may have been opened after the first one. It
    // then stays open until a restart.
    if reading == .absent {
      reading = isOpen(install) ? read(account, install) : .temporarilyUnreadable
    }
    return reading
  }

  private func read(_ account: String, _ install: String) -> Reading {
    let (status, bytes) = security.copyMatching(name(of: account).reading)
    switch status {
    case .success:
      guard let bytes else { return .temporarilyUnreadable }
      guard let item = InstalledText(bytes) else {
        return InstalledText.isOfLaterVersion(bytes) ? .temporarilyUnreadable : .damaged
      }
      if item.install == install { return .value(item.text) }
      // A deleted installation wrote this item. If the deletion fails, the next read tries again.
      _ = security.delete(name(of: account).query)
      return .absent
    case .itemNotFound: return .absent
    default: return .temporarilyUnreadable
    }
  }

  func write(_ text: String, to account: String) throws(Refusal) {
    guard let install = marker.install() else { throw .noMarker }
    let (name, bytes) = (name(of: account), InstalledText(install: install, text: text).bytes)
    let change = KeychainItemName.change(to: bytes)
    var status = security.update(name.query, to: change)
    if status == .itemNotFound { status = security.add(name.adding(bytes)) }
    // Another task added the item first, or "no such item" was wrong.
    if status == .duplicateItem { status = security.update(name.query, to: change) }
    switch status {
    case .success: return
    case .missingEntitlement: throw .noKeychain
    default: throw .failed(status)
    }
  }

  /// Deletes a text, or makes it unreadable for this app.
  ///
  /// If the text cannot be deleted now, the installation gets a new name. The text then belongs to
  /// an earlier installation, and a later read deletes it. So sign-out also succeeds on a locked
  /// device (L-32).
  func erase(_ account: String) throws(Refusal) {
    guard let install = marker.install() else { throw .noMarker }
    let status = security.delete(name(of: account).query)
    if status == .success || (status == .itemNotFound && isOpen(install)) { return }
    if !marker.write(type(of: marker).newName()) { throw .failed(status) }
  }

  // MARK: Whether the keychain is open

  /// Whether the keychain can be read now, so that "no such item" is true.
  func isOpen(_ install: String) -> Bool {
    let name = name(of: Self.witness)
    switch security.copyMatching(name.reading).status {
    case .success: return true
    // A locked keychain refuses the new item, or reports that it already exists.
    case .itemNotFound:
      let bytes = InstalledText(install: install, text: "").bytes
      return security.add(name.adding(bytes)) == .success
    default: return false
    }
  }
}
