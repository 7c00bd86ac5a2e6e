extension String {
  /// The text that these bytes are in UTF-8; nil when they are not UTF-8.
  ///
  /// The standard library's own check came with iOS 18. Its decoding replaces every malformed byte
  /// with other bytes, so a text of the same bytes was well-formed.
  public init?(wellFormed bytes: some Collection<UInt8>) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.utf8.elementsEqual(bytes) else { return nil }
    self = text
  }
}
