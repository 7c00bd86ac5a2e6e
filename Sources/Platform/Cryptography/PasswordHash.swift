internal import CSodium

/// Why a password could not be hashed or compared.
public enum PasswordHashFault: Error, Equatable, Sendable {
  /// The 19 MiB for one hash were not available.
  case outOfMemory
}

/// Argon2id by libsodium with OWASP's minimum: 19 MiB, two passes, one lane.
///
/// Each call takes about 15 ms and 19 MiB. So it runs only in a `HashingPool`.
public enum PasswordHash {
  public static let passes: UInt64 = 2
  public static let memoryBytes = 19 << 20
  /// Longer passwords are refused before any work starts.
  public static let passwordByteLimit = 1024

  /// The prefix of a hash of normalized text.
  ///
  /// Imported hashes lack it.
  static let marker = "nfc:"

  public static func make(_ password: String) throws(PasswordHashFault) -> String {
    Sodium.start()
    let bytes = characters(NormalizedText.nfc(password))
    var encoded = [CChar](repeating: 0, count: Int(crypto_pwhash_STRBYTES))
    let status = crypto_pwhash_str_alg(
      &encoded, bytes, UInt64(bytes.count), passes, memoryBytes, crypto_pwhash_ALG_ARGON2ID13
    )
    guard status == 0 else { throw .outOfMemory }
    let text = encoded.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return marker + String(decoding: text, as: UTF8.self)
  }

  /// Whether `encoded` was made from this password.
  ///
  /// Text that is not a hash never matches and takes the same time, so that a damaged record looks
  /// like a wrong password. A password that normalization changes is compared in both forms with
  /// every hash, so that the time does not show whether the hash is old or new.
  ///
  /// It also does the work of each of `kinds`, so that the time shows neither the kind of the hash
  /// nor whether there is one.
  public static func matches(
    _ password: String, _ encoded: String, evenWith kinds: Set<PasswordHashKind> = []
  ) throws(PasswordHashFault) -> Bool {
    let isRight: Bool
    if let bcrypt = BcryptHash(encoded) {
      isRight = try matches(password, bcrypt)
      if !kinds.contains(.bcrypt(cost: bcrypt.cost)) { return isRight }
    } else {
      isRight = try matches(password, argon2id: encoded)
    }
    let own = PasswordHashKind(of: encoded) ?? .current
    // Only the kinds of imported hashes are stored.
    let isImported = kinds.contains(own)
    for kind in kinds where kind != own { try work(kind, password) }
    if isImported { try work(.current, password) }
    return isRight
  }

  private static func matches(
    _ password: String, _ bcrypt: BcryptHash
  ) throws(PasswordHashFault) -> Bool {
    let typed = Array(password.utf8)
    let normalized = Array(NormalizedText.nfc(password).utf8)
    let isNormalized = try bcrypt.matches(normalized)
    if typed == normalized { return isNormalized }
    return try bcrypt.matches(typed) || isNormalized
  }

  /// Does the work of a comparison with a hash of another kind.
  private static func work(
    _ kind: PasswordHashKind, _ password: String
  ) throws(PasswordHashFault) {
    let typed = characters(password)
    let normalized = characters(NormalizedText.nfc(password))
    for form in typed == normalized ? [normalized] : [normalized, typed] {
      switch kind {
      case .current: try derive(form, kibibytes: memoryBytes >> 10, passes: Int(passes))
      case .argon2id(let kibibytes, let passes):
        try derive(form, kibibytes: kibibytes, passes: passes)
      case .bcrypt(let cost):
        try BcryptHash.work(form.map { UInt8(bitPattern: $0) }, cost: cost)
      }
    }
  }

  private static func derive(
    _ password: [CChar], kibibytes: Int, passes: Int
  ) throws(PasswordHashFault) {
    Sodium.start()
    var digest = [UInt8](repeating: 0, count: SHA256Digest.byteCount)
    let salt = [UInt8](repeating: 0, count: Int(crypto_pwhash_SALTBYTES))
    let status = crypto_pwhash(
      &digest, UInt64(digest.count), password, UInt64(password.count), salt, UInt64(passes),
      kibibytes << 10, crypto_pwhash_ALG_ARGON2ID13
    )
    guard status == 0 else { throw .outOfMemory }
  }

  /// The memory in KiB and the passes of an Argon2id hash, with or without our marker.
  ///
  /// `nil` for other text.
  static func parameters(of encoded: String) -> (kibibytes: Int, passes: Int)? {
    let isMarked = encoded.utf8.starts(with: marker.utf8)
    let text = isMarked ? String(encoded.utf8.dropFirst(marker.utf8.count)) ?? "" : encoded
    guard text.utf8.count < Int(crypto_pwhash_STRBYTES), let hash = EncodedHash(text) else {
      return nil
    }
    return (hash.memoryBytes >> 10, Int(hash.passes))
  }

  private static func matches(
    _ password: String, argon2id encoded: String
  ) throws(PasswordHashFault) -> Bool {
    Sodium.start()
    let isNormalized = encoded.utf8.starts(with: marker.utf8)
    let hash = isNormalized ? String(encoded.utf8.dropFirst(marker.utf8.count)) ?? "" : encoded
    let isReadable = crypto_pwhash_str_needs_rehash(hash, passes, memoryBytes) >= 0
    let known = isReadable ? hash : decoy
    let normalized = characters(NormalizedText.nfc(password))
    let typed = characters(password)
    var isRight = try verify(known, normalized)
    if typed != normalized {
      let isTyped = try verify(known, typed)
      if isTyped, !isNormalized { isRight = true }
    }
    return isRight && isReadable
  }

  /// Whether a hash that matches `password` should be replaced by one that `make` makes of it.
  ///
  /// It should if it was made with other parameters, or of text that was not normalized. A bcrypt
  /// hash of a long password stays: it does not show whether the end of the typed password is
  /// right, so a new hash could refuse the true password later.
  public static func needsRehash(_ encoded: String, of password: String) -> Bool {
    if BcryptHash(encoded) != nil {
      return BcryptHash.determines(Array(password.utf8))
        && BcryptHash.determines(Array(NormalizedText.nfc(password).utf8))
    }
    guard encoded.utf8.starts(with: marker.utf8),
      let hash = String(encoded.utf8.dropFirst(marker.utf8.count))
    else { return true }
    return crypto_pwhash_str_needs_rehash(hash, passes, memoryBytes) != 0
  }

  private static func characters(_ text: String) -> [CChar] {
    text.utf8.map { CChar(bitPattern: $0) }
  }

  /// libsodium's comparison returns the same for a lack of memory and for a wrong password.
  ///
  /// So the hash is made and compared here.
  private static func verify(
    _ hash: String, _ password: [CChar]
  ) throws(PasswordHashFault) -> Bool {
    guard let known = EncodedHash(hash) else {
      return crypto_pwhash_str_verify(hash, password, UInt64(password.count)) == 0
    }
    var digest = [UInt8](repeating: 0, count: known.digest.count)
    let status = crypto_pwhash(
      &digest, UInt64(digest.count), password, UInt64(password.count), known.salt, known.passes,
      known.memoryBytes, crypto_pwhash_ALG_ARGON2ID13
    )
    guard status == 0 else { throw .outOfMemory }
    return ConstantTime.equal(digest, known.digest)
  }

  private static let decoy =
    "$argon2id$v=19$m=19456,t=2,p=1$bm9ib2R5LWlzLWJlaGluZA"
    + "$Oq29wp2NRUM3gNFfL55MvEaKqED7sRvZSppexESChIk"
}

/// The parts of a hash in its text form: `$argon2id$v=19$m=19456,t=2,p=1$SALT$DIGEST`.
private struct EncodedHash {
  let passes: UInt64
  let memoryBytes: Int
  let salt: [UInt8]
  let digest: [UInt8]

  /// `nil` for a form that libsodium does not write.
  init?(_ text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "$"), omittingEmptySubsequences: false)
    guard parts.count == 6, String(parts[1]) == "argon2id", String(parts[2]) == "v=19" else {
      return nil
    }
    let numbers = parts[3].split(separator: UInt8(ascii: ",")).compactMap { String($0) }
    guard numbers.count == 3, let memory = Self.number(numbers[0], "m="),
      let passes = Self.number(numbers[1], "t="), numbers[2] == "p=1"
    else { return nil }
    let salt = Self.bytes(parts[4])
    let digest = Self.bytes(parts[5])
    guard salt.count == Int(crypto_pwhash_SALTBYTES), digest.count >= 16 else { return nil }
    self.passes = UInt64(passes)
    memoryBytes = Int(memory) << 10
    self.salt = salt
    self.digest = digest
  }

  private static func number(_ text: String, _ name: String) -> UInt32? {
    text.hasPrefix(name) ? UInt32(text.dropFirst(name.utf8.count)) : nil
  }

  /// Decodes Base64 without padding.
  ///
  /// The result is empty for other text.
  private static func bytes(_ text: Substring.UTF8View) -> [UInt8] {
    let letters = text.map { CChar(bitPattern: $0) }
    var bytes = [UInt8](repeating: 0, count: letters.count)
    var count = 0
    let status = sodium_base642bin(
      &bytes, bytes.count, letters, letters.count, nil, &count, nil,
      sodium_base64_VARIANT_ORIGINAL_NO_PADDING
    )
    return status == 0 ? Array(bytes[..<count]) : []
  }
}
