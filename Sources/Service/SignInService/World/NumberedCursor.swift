import Cryptography
import SignInModel

/// A position in a list whose records are numbered over all organizations.
///
/// A reader of everything gets the number. A reader of organizations gets it sealed, because the
/// number says how much other organizations write. Every sealed text has the same length, and only
/// a reader of the same organizations can use it.
public struct NumberedCursor: Equatable, PageCursor {
  enum List: String, Sendable {
    case changes
    case events
  }

  public let text: String

  /// The text that a reader sent; `number` finds out whether this server wrote it.
  public init(parsing text: String) { self.text = text }

  /// `organizations` are those of the reader, sorted; `nil` for a reader of everything.
  init(_ number: Int64, in list: List, for organizations: [OrganizationID]?, _ keyring: Keyring) {
    guard let organizations else {
      text = String(number)
      return
    }
    let bytes = withUnsafeBytes(of: number.bigEndian) { Array($0) }
    text = keyring.cursor(sealing: bytes, context: Self.context(list, organizations))
  }

  /// The number; `nil` if this server did not write the text for such a reader.
  func number(
    in list: List, for organizations: [OrganizationID]?, _ keyring: Keyring
  ) -> Int64? {
    guard let organizations else { return WholeNumber.read(text, in: 0...Int64.max) }
    let bytes = keyring.bytes(ofCursor: text, context: Self.context(list, organizations))
    return bytes?.reduce(0) { $0 << 8 | Int64($1) }
  }

  private static func context(_ list: List, _ organizations: [OrganizationID]) -> String {
    // No organization has a space in its identifier.
    list.rawValue + " " + organizations.map(\.text).joined(separator: " ")
  }
}

extension Keyring {
  /// The text of a sealed position.
  ///
  /// The same position has the same text, so that an answer does not change without a reason. So
  /// the nonce is derived from the position.
  func cursor(sealing position: [UInt8], context: String) -> String {
    let nonce = HMACSHA256.code(for: Array(context.utf8) + [0] + position, key: cursors)
      .prefix(SealingKey.nonceByteCount)
    return Base64URL.encode(
      listCursors.seal(position, context: context, nonce: Array(nonce)))
  }

  /// The position; `nil` if this server did not write the text for this context.
  func bytes(ofCursor text: String, context: String) -> [UInt8]? {
    do throws(Malformed) {
      return listCursors.open(try Base64URL.decode(text), context: context)
    } catch {
      return nil
    }
  }
}
