package import JSONText
import SignInModel

/// A signed token in compact form (RFC 7515, section 7.1), without a check of its signature.
package struct CompactToken {
  private let encodedHeader: String
  private let encodedClaims: String

  /// Splits the text at its two dots; `nil` if it does not have three parts.
  package init?(_ text: String) {
    guard let header = text.cut(at: "."), let claims = header.after.cut(at: "."),
      claims.after.cut(at: ".") == nil
    else { return nil }
    encodedHeader = header.before
    encodedClaims = claims.before
  }

  /// `nil` if the part is not base64url of JSON.
  package var header: JSON? { Self.json(encodedHeader) }

  /// `nil` if the part is not base64url of JSON.
  package var claims: JSON? { Self.json(encodedClaims) }

  private static func json(_ part: String) -> JSON? {
    do throws(Malformed) {
      let bytes = try Base64URL.decode(part)
      do throws(JSONMalformed) { return try JSONReader.read(bytes) } catch { return nil }
    } catch {
      return nil
    }
  }
}
