/// One member of a query to the keychain, in the words of Apple's `SecItem` functions.
///
/// Which members a query has is decided here, where it can be tested anywhere; `SystemSecurity`
/// only looks up their names.
enum KeychainAttribute: Equatable, Sendable {
  /// When the system can read an item that never leaves the device.
  enum Accessibility: Equatable, Sendable {
    /// From the first unlock after a start on: the app may be woken while the phone is locked.
    case afterFirstUnlockThisDeviceOnly
    /// While there is a passcode; when it is removed, the system throws the item away.
    case whenPasscodeSetThisDeviceOnly
  }

  case genericPassword
  case service(String)
  case account(String)
  /// Shared with the app's own extensions, where it has any.
  case accessGroup(String)
  case accessible(Accessibility)
  /// Freed by those fingers and faces alone that are enrolled at this moment.
  case biometryCurrentSet(Accessibility)
  /// Never copied to iCloud.
  case notSynchronizable
  /// On a Mac too the keychain of iOS, which knows of accessibility.
  case dataProtection
  case data([UInt8])
  case returnsData
  case matchesOne
  /// A query that would ask the owner is to fail instead.
  case asksNobody
  /// The words under which the owner is asked.
  case asksOwner(reason: String)
}

/// Which items are meant, and how they are to be treated.
struct KeychainItemName: Equatable, Sendable {
  let service: String
  let account: String
  let accessGroup: String?

  private var members: [KeychainAttribute] {
    [
      .genericPassword, .service(service), .account(account), .notSynchronizable, .dataProtection,
    ] + (accessGroup.map { [.accessGroup($0)] } ?? [])
  }

  var query: [KeychainAttribute] { members }

  var reading: [KeychainAttribute] { members + [.returnsData, .matchesOne, .asksNobody] }

  func readingByOwner(reason: String) -> [KeychainAttribute] {
    members + [.returnsData, .matchesOne, .asksOwner(reason: reason)]
  }

  func adding(_ bytes: [UInt8]) -> [KeychainAttribute] {
    members + [.accessible(.afterFirstUnlockThisDeviceOnly), .data(bytes)]
  }

  func addingForOwner(_ bytes: [UInt8]) -> [KeychainAttribute] {
    members + [.biometryCurrentSet(.whenPasscodeSetThisDeviceOnly), .data(bytes)]
  }

  static func change(to bytes: [UInt8]) -> [KeychainAttribute] {
    [.accessible(.afterFirstUnlockThisDeviceOnly), .data(bytes)]
  }
}
