import SignInModel
import SignInWire

extension [UInt8] {
  /// Base64 with the standard alphabet and padding (RFC 4648, section 4).
  var base64: String { Base64.encode(self) }

  /// `nil` if the text is not standard Base64.
  init?(base64 text: String) {
    let plain = text.prefix { $0 != "=" }
    let padding = text.dropFirst(plain.count)
    guard padding.count <= 2, padding.allSatisfy({ $0 == "=" }), text.count % 4 == 0,
      !plain.contains("-"), !plain.contains("_")
    else { return nil }
    let safe = plain.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 }
    do throws(Malformed) { self = try Base64URL.decode(String(safe)) } catch { return nil }
  }

  /// Two lower-case digits for each byte.
  var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(2 * count)
    for byte in self {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 0xF)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}

/// Encodes the body of a form.
///
/// The unreserved bytes of RFC 3986 stay as they are. All others become `%XX`.
enum FormBody {
  static func encode(_ members: [(String, String)]) -> [UInt8] {
    Array(Form(members.map { Form.Field($0.0, $0.1) }).encoded.utf8)
  }
}
