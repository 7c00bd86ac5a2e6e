/// A text with names in braces, such as `{count} parcels`.
enum Template {
  /// The text, with each `{name}` replaced by its value.
  @inline(never) static func fill(
    _ template: String, _ values: [(name: String, value: String)]
  ) -> String {
    var filled: [UInt8] = []
    var name: [UInt8]?
    for byte in template.utf8 {
      if byte == UInt8(ascii: "{") {
        name = []
      } else if byte == UInt8(ascii: "}"), let wanted = name {
        for entry in values where Array(entry.name.utf8) == wanted {
          filled.append(contentsOf: entry.value.utf8)
        }
        name = nil
      } else if name != nil {
        name?.append(byte)
      } else {
        filled.append(byte)
      }
    }
    return String(decoding: filled, as: UTF8.self)
  }
}
