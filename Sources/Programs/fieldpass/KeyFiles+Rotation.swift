import Cryptography
import SignInModel
import SignInService

/// The signing keys of a data folder.
///
/// `keys/signing.pem` is the newest key. `keys/signing-until-N.pem` signs until the Unix second N,
/// and its tokens are accepted for `SigningKeys.overlapSeconds` longer. The file names contain all
/// information about the keys. So a copy of the folder is complete, and an earlier version of the
/// program still finds its key.
extension KeyFiles {
  /// A signing key that has a successor.
  struct EarlierKey {
    let path: String
    let signsUntil: Instant

    /// The moment from which no token of this key is valid.
    var endsAt: Instant { signsUntil.adding(seconds: SigningKeys.overlapSeconds) }
  }

  private static let earlierStart = "signing-until-"
  private static let earlierEnd = ".pem"
  /// Unix seconds, up to the year 9999.
  private static let untilLimits: ClosedRange<Int64> = 0...253_402_300_799

  /// Every signing key, even if all its tokens have expired.
  static func signingKeys(in data: String) throws(FileFault) -> [SigningKeys.Key] {
    var keys = [SigningKeys.Key(try signingKey(at: path(of: .signing, in: data)))]
    for earlier in earlierKeys(in: data) {
      let key = try signingKey(at: earlier.path)
      keys.append(SigningKeys.Key(key, signsUntil: earlier.signsUntil))
    }
    return keys
  }

  /// The keys with a successor, the oldest first.
  static func earlierKeys(in data: String) -> [EarlierKey] {
    let folder = data + "/keys"
    return Files.list(folder).compactMap { name in
      guard name.hasPrefix(earlierStart), name.hasSuffix(earlierEnd) else { return nil }
      let digits = name.dropFirst(earlierStart.utf8.count).dropLast(earlierEnd.utf8.count)
      guard let seconds = WholeNumber.read(digits, in: untilLimits) else { return nil }
      return EarlierKey(path: folder + "/" + name, signsUntil: Instant(seconds: seconds))
    }.sorted { $0.signsUntil < $1.signsUntil }
  }

  static func earlierName(signsUntil end: Instant) -> String {
    earlierStart + String(end.seconds) + earlierEnd
  }

  /// Whether a file with this name contains a key.
  ///
  /// A backup of the keys needs these files.
  static func isKeyFile(_ name: String) -> Bool {
    if KeyFile(rawValue: name) != nil { return true }
    guard name.hasPrefix(earlierStart), name.hasSuffix(earlierEnd) else { return false }
    let digits = name.dropFirst(earlierStart.utf8.count).dropLast(earlierEnd.utf8.count)
    return WholeNumber.read(digits, in: untilLimits) != nil
  }

  /// Creates a new key that signs from `start` on.
  ///
  /// The current key signs until then.
  ///
  /// If it is interrupted, the folder has either only the old keys or also the new one.
  static func rotate(in data: String, from start: Instant) throws(FileFault) -> SigningKey {
    let newest = path(of: .signing, in: data)
    let kept = data + "/keys/" + earlierName(signsUntil: start)
    try Files.createPrivate(kept, try Files.readPrivate(newest))
    let key = SigningKey.generate()
    try Files.replacePrivate(newest, Array(key.pem.utf8))
    return key
  }

  /// Creates a new key that signs at once, and removes all others.
  ///
  /// Tokens of the removed keys are refused.
  static func replaceSigningKeys(in data: String) throws(FileFault) -> SigningKey {
    let key = SigningKey.generate()
    try Files.replacePrivate(path(of: .signing, in: data), Array(key.pem.utf8))
    for earlier in earlierKeys(in: data) { try Files.remove(earlier.path) }
    return key
  }

  /// Removes each key after all its tokens have expired.
  ///
  /// Returns the number of removed keys.
  @discardableResult
  static func removeEnded(in data: String, at now: Instant) throws(FileFault) -> Int {
    let ended = earlierKeys(in: data).filter { $0.endsAt <= now }
    for earlier in ended { try Files.remove(earlier.path) }
    return ended.count
  }
}
