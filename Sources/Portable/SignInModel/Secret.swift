/// Text that must never be shown, such as a password, a token or a code.
///
/// Its description hides the text. So it is safe to log a value that contains a secret.
public struct Secret: Equatable, Sendable, CustomStringConvertible {
  private let text: String

  public init(_ text: String) { self.text = text }

  /// The text itself.
  ///
  /// Use it only to hash, encrypt or send the secret.
  public var revealed: String { text }

  public var isEmpty: Bool { text.isEmpty }

  public var description: String { "‹secret›" }
}

#if !hasFeature(Embedded)
  extension Secret: CustomReflectable {
    /// `dump` shows only the description.
    public var customMirror: Mirror { Mirror(self, children: []) }
  }
#endif
