internal import CCrypt

/// A bcrypt hash that another system made: `$2b$10$`, 22 letters of salt and 31 of digest.
///
/// It is only compared. New hashes are never bcrypt.
struct BcryptHash {
  /// The accepted costs.
  ///
  /// Each step doubles the time.
  static let costs = 4...12
  /// The bytes of a password that bcrypt reads.
  ///
  /// It ignores the rest, and its time does not depend on the length.
  static let readBytes = 72
  private static let byteCount = 60
  private static let saltStart = 7

  let cost: Int
  private let text: String

  /// `nil` if the text is not a bcrypt hash, or if its cost is outside `costs`.
  ///
  /// `$2x$` is refused. It marks hashes of a program that read passwords incorrectly.
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == Self.byteCount, bytes[0] == UInt8(ascii: "$"),
      bytes[1] == UInt8(ascii: "2"), "aby".utf8.contains(bytes[2]),
      bytes[3] == UInt8(ascii: "$"), bytes[6] == UInt8(ascii: "$"),
      let cost = Self.number(bytes[4], bytes[5]), Self.costs.contains(cost),
      bytes[Self.saltStart...].allSatisfy(Self.isLetter)
    else { return nil }
    self.cost = cost
    self.text = text
  }

  /// Whether the hash was made from this password.
  func matches(_ password: [UInt8]) throws(PasswordHashFault) -> Bool {
    let digest = try Self.crypt(password, text)
    return ConstantTime.equal(digest, Array(text.utf8))
  }

  /// Whether a hash that matches these bytes was made of exactly them.
  ///
  /// The NUL at the end of a shorter password is a part of the hash. A password that fills all
  /// bytes has the same hash as every longer one that begins with it.
  static func determines(_ password: [UInt8]) -> Bool {
    password.count < readBytes && !password.contains(0)
  }

  /// Does the work of one comparison, for a password with a hash of another kind.
  static func work(_ password: [UInt8], cost: Int) throws(PasswordHashFault) {
    let digits = cost < 10 ? "0\(cost)" : "\(cost)"
    _ = try crypt(password, "$2b$\(digits)$" + String(repeating: ".", count: 22))
  }

  private static func crypt(
    _ password: [UInt8], _ setting: String
  ) throws(PasswordHashFault) -> [UInt8] {
    // A NUL would end the password early. The text without it takes the same time and never
    // matches. The library refuses passwords of 512 bytes and more, so it gets only what bcrypt
    // reads.
    let hasNul = password.contains(0)
    let read = password.filter { $0 != 0 }.prefix(readBytes)
    let letters = read.map { CChar(bitPattern: $0) } + [0]
    let data = UnsafeMutablePointer<crypt_data>.allocate(capacity: 1)
    defer { data.deallocate() }
    data.initialize(to: crypt_data())
    guard let hashed = crypt_r(letters, setting, data), hashed.pointee != CChar(bitPattern: 0x2A)
    else { throw .outOfMemory }
    let digest = Array(String(cString: hashed).utf8)
    return hasNul ? [] : digest
  }

  private static func number(_ tens: UInt8, _ ones: UInt8) -> Int? {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard digits.contains(tens), digits.contains(ones) else { return nil }
    return Int(tens - digits.lowerBound) * 10 + Int(ones - digits.lowerBound)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: false
    }
  }
}
