extension String {
  /// The text of these bytes in UTF-8.
  ///
  /// It is `nil` if the bytes are not valid UTF-8.
  ///
  /// The check of the standard library requires iOS 18. `String(decoding:as:)` replaces each
  /// malformed byte with other bytes. So the bytes were valid if the text still has the same bytes.
  public init?(wellFormed bytes: ArraySlice<UInt8>) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.utf8.count == bytes.count else { return nil }
    // Comparing the stored bytes is several times faster than iterating over both UTF-8 views.
    let isSame = bytes.withUnsafeBufferPointer { given in
      text.utf8.withContiguousStorageIfAvailable { $0.elementsEqual(given) }
    }
    guard isSame ?? text.utf8.elementsEqual(bytes) else { return nil }
    self = text
  }
}
