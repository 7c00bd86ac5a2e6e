/// An `Authorization` field with a scheme and a token.
struct AuthorizationField {
  /// In lower case.
  let scheme: String
  let token: String

  /// Nil if there is not exactly one field, or if it has another form.
  init?(_ fields: [String]) {
    guard fields.count == 1 else { return nil }
    // There can be several blanks after the scheme (RFC 9110, section 11.4).
    let parts = Array(fields[0].utf8).split(separator: UInt8(ascii: " "))
    guard parts.count == 2 else { return nil }
    scheme = String(decoding: parts[0], as: UTF8.self).lowercased()
    token = String(decoding: parts[1], as: UTF8.self)
  }
}
