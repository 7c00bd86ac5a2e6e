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

  private static let numberBytes = 8

  public let text: String

  /// The text that a reader sent; `number` finds out whether this server wrote it.
  public init(parsing text: String) { self.text = text }

  /// `organizations` are those of the reader, sorted; `nil` for a reader of everything.
  init(_ number: Int64, in list: List, for organizations: [OrganizationID]?, _ keyring: Keyring) {
    guard let organizations else {
      text = String(number)
      return
    }
    let bytes = stride(from: 8 * (Self.numberBytes - 1), through: 0, by: -8).map { shift in
      UInt8(truncatingIfNeeded: number >> Int64(shift))
    }
    let context = Self.context(list, organizations)
    text = Base64URL.encode(keyring.listCursors.seal(bytes, context: context))
  }

  /// The number; `nil` if this server did not write the text for such a reader.
  func number(
    in list: List, for organizations: [OrganizationID]?, _ keyring: Keyring
  ) -> Int64? {
    guard let organizations else { return WholeNumber.read(text, in: 0...Int64.max) }
    let sealed: [UInt8]
    do throws(Malformed) { sealed = try Base64URL.decode(text) } catch { return nil }
    let context = Self.context(list, organizations)
    guard let bytes = keyring.listCursors.open(sealed, context: context),
      bytes.count == Self.numberBytes
    else { return nil }
    return bytes.reduce(0) { $0 << 8 | Int64($1) }
  }

  private static func context(_ list: List, _ organizations: [OrganizationID]) -> String {
    // No organization has a space in its identifier.
    list.rawValue + " " + organizations.map(\.text).joined(separator: " ")
  }
}
