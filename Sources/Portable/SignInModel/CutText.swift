extension String {
  /// The text before and after the first occurrence of an ASCII character; `nil` if it has none.
  public func cut(at mark: Unicode.Scalar) -> (before: String, after: String)? {
    var before: [UInt8] = []
    var after: [UInt8]?
    for byte in utf8 {
      if after != nil {
        after?.append(byte)
      } else if byte == UInt8(ascii: mark) {
        after = []
      } else {
        before.append(byte)
      }
    }
    guard let after else { return nil }
    return (String(decoding: before, as: UTF8.self), String(decoding: after, as: UTF8.self))
  }
}
