extension String {
  /// The text that these bytes are in UTF-8; nil when they are not UTF-8.
  ///
  /// The standard library's own check came with iOS 18. Its decoding replaces every malformed byte
  /// with other bytes, so a text of the same bytes was well-formed.
  public init?(wellFormed bytes: ArraySlice<UInt8>) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.utf8.count == bytes.count else { return nil }
    // Comparing the stored bytes is several times faster than walking both views.
    let isSame = bytes.withUnsafeBufferPointer { given in
      text.utf8.withContiguousStorageIfAvailable { $0.elementsEqual(given) }
    }
    guard isSame ?? text.utf8.elementsEqual(bytes) else { return nil }
    self = text
  }
}
