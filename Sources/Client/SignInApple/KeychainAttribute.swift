/// One member of a keychain query, named as in Apple's `SecItem` functions.
///
/// The members of each query are decided here, where they can be tested on any platform.
/// `SystemSecurity` only translates them to Apple's names.
enum KeychainAttribute: Equatable, Sendable {
  /// When the system can read an item.
  ///
  /// The item never leaves the device.
  enum Accessibility: Equatable, Sendable {
    /// After the first unlock since the start, because the app can run while the phone is locked.
    case afterFirstUnlockThisDeviceOnly
    /// Only while there is a passcode.
    ///
    /// If it is removed, the system deletes the item.
    case whenPasscodeSetThisDeviceOnly
  }

  case genericPassword
  case service(String)
  case account(String)
  /// Shared with the extensions of the app, if it has any.
  case accessGroup(String)
  case accessible(Accessibility)
  /// Only the fingers and faces that are enrolled now can open the item.
  case biometryCurrentSet(Accessibility)
  /// The item is never copied to iCloud.
  case notSynchronizable
  /// Uses the iOS keychain also on a Mac, because only that one supports accessibility.
  case dataProtection
  case data([UInt8])
  case returnsData
  case matchesOne
  /// The query fails instead of showing a prompt.
  case failsInsteadOfPrompt
  /// The text of the prompt for the owner.
  case showsPrompt(reason: String)
}

/// The identity of an item, and the queries for it.
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

  var reading: [KeychainAttribute] { members + [.returnsData, .matchesOne, .failsInsteadOfPrompt] }

  func readingByOwner(reason: String) -> [KeychainAttribute] {
    members + [.returnsData, .matchesOne, .showsPrompt(reason: reason)]
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
