/// The used functions of Apple's Security framework.
protocol SecurityFunctions: Sendable {
  /// `SecItemCopyMatching`, which blocks while the system shows the prompt.
  func copyMatching(_ query: [KeychainAttribute]) -> (status: KeychainStatus, data: [UInt8]?)
  /// `SecItemAdd`.
  func add(_ item: [KeychainAttribute]) -> KeychainStatus
  /// `SecItemUpdate`.
  func update(_ query: [KeychainAttribute], to change: [KeychainAttribute]) -> KeychainStatus
  /// `SecItemDelete`.
  func delete(_ query: [KeychainAttribute]) -> KeychainStatus
}

/// The used functions of LocalAuthentication.
protocol UserVerification: Sendable {
  /// `LAContext.canEvaluatePolicy` for biometrics only.
  func check() -> OwnerCheck
}

/// Whether this device can verify its owner.
enum OwnerCheck: Equatable, Sendable {
  /// `enrolment` identifies the enrolled fingers and faces.
  ///
  /// It changes when the enrolment changes.
  case possible(enrolment: [UInt8])
  /// Too many failed tries.
  ///
  /// The passcode unlocks the sensor again, and nothing is lost.
  case lockedOut
  /// There is no sensor, no enrolment or no passcode.
  case impossible
}

/// An `OSStatus` of the keychain.
///
/// The names and numbers are those of `SecBase.h`.
struct KeychainStatus: Equatable, Sendable {
  static let success = KeychainStatus(0)
  static let userCanceled = KeychainStatus(-128)
  static let authFailed = KeychainStatus(-25293)
  static let duplicateItem = KeychainStatus(-25299)
  static let itemNotFound = KeychainStatus(-25300)
  static let interactionNotAllowed = KeychainStatus(-25308)
  static let missingEntitlement = KeychainStatus(-34018)

  let number: Int32

  init(_ number: Int32) { self.number = number }
}
