public import SignInModel

extension PhoneNumber {
  /// Reads a number with its calling code as people write it; `nil` if it is malformed.
  ///
  /// Spaces, hyphens, dots and brackets are ignored. `00` means the same as the plus sign.
  public init?(typed text: String) {
    var digits: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"): digits.append(byte)
      case 0x20, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "("), UInt8(ascii: ")"): break
      default: return nil
      }
    }
    if digits.starts(with: [UInt8(ascii: "0"), UInt8(ascii: "0")]) {
      digits = [UInt8(ascii: "+")] + digits.dropFirst(2)
    }
    do throws(Malformed) {
      try self.init(parsing: String(decoding: digits, as: UTF8.self))
    } catch {
      return nil
    }
  }
}

extension PersonName {
  public init?(typed text: String) {
    do throws(Malformed) { try self.init(parsing: text) } catch { return nil }
  }
}
