/// What is used of Apple's Security framework; each function is one of its own.
protocol SecurityFunctions: Sendable {
  /// `SecItemCopyMatching`. Blocks while the owner is asked.
  func copyMatching(_ query: [KeychainAttribute]) -> (status: KeychainStatus, data: [UInt8]?)
  /// `SecItemAdd`.
  func add(_ item: [KeychainAttribute]) -> KeychainStatus
  /// `SecItemUpdate`.
  func update(_ query: [KeychainAttribute], to change: [KeychainAttribute]) -> KeychainStatus
  /// `SecItemDelete`.
  func delete(_ query: [KeychainAttribute]) -> KeychainStatus
}

/// What is used of LocalAuthentication.
protocol OwnerRecognition: Sendable {
  /// `LAContext.canEvaluatePolicy`, for fingers and faces alone.
  func check() -> OwnerCheck
}

/// Whether this device can know its owner.
enum OwnerCheck: Equatable, Sendable {
  /// With what is enrolled at this moment, as bytes that are others after a change.
  case possible(enrolment: [UInt8])
  /// Too many tries failed; the passcode helps, and nothing is lost.
  case lockedOut
  /// No sensor, nothing enrolled, or no passcode.
  case impossible
}

/// An `OSStatus` of the keychain; names and numbers are those of `SecBase.h`.
struct KeychainStatus: Equatable, Sendable {
  static let success = KeychainStatus(0)
  static let userCanceled = KeychainStatus(-128)
  static let notAvailable = KeychainStatus(-25291)
  static let authFailed = KeychainStatus(-25293)
  static let duplicateItem = KeychainStatus(-25299)
  static let itemNotFound = KeychainStatus(-25300)
  static let interactionNotAllowed = KeychainStatus(-25308)
  static let missingEntitlement = KeychainStatus(-34018)

  let number: Int32

  init(_ number: Int32) { self.number = number }
}
