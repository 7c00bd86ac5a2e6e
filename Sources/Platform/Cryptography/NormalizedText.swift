@_spi(_Unicode) import Swift

/// Unicode normalization form C.
///
/// The standard library implements it without Foundation, which the server does not load.
public enum NormalizedText {
  /// The text with all letters and marks composed as far as possible.
  ///
  /// Text that looks the same from two keyboards then has the same bytes.
  public static func nfc(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
    var scalars = String.UnicodeScalarView()
    for scalar in text._nfc { scalars.append(scalar) }
    return String(scalars)
  }
}
