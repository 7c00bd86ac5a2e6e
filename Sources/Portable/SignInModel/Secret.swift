/// Text that must never be shown: a password, a token, a code.
///
/// Its description hides it, so that logging a value that contains one is harmless.
public struct Secret: Equatable, Sendable, CustomStringConvertible {
  private let text: String

  public init(_ text: String) { self.text = text }

  /// The text itself, for hashing, sealing and sending only.
  public var revealed: String { text }

  public var isEmpty: Bool { text.isEmpty }

  public var description: String { "‹secret›" }
}
