public import SignInModel

/// The answers that one failure counter counts.
///
/// A known device of an account has its own counters. All other devices share those of the account.
/// Wrong reset codes are counted apart from wrong passwords and codes.
public struct LockoutKey: Hashable, Sendable {
  /// The account, or a digest that represents an unknown account.
  public let account: AccountID
  /// The thumbprint of the known device's key; nil for the counter that all other devices share.
  public let device: String?
  public let isForResets: Bool

  public init(_ account: AccountID, device: String? = nil, isForResets: Bool = false) {
    self.account = account
    self.device = device
    self.isForResets = isForResets
  }

  /// The counter of wrong reset codes for the same devices.
  public var ofResets: LockoutKey { LockoutKey(account, device: device, isForResets: true) }
}
