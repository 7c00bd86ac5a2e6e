import SignInModel

extension EmailAddress {
  /// `nil` if the typed text is not a complete address.
  init?(typed text: String) {
    do throws(Malformed) { try self.init(parsing: text) } catch { return nil }
  }
}
