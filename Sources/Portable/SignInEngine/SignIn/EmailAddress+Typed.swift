public import SignInModel

extension EmailAddress {
  /// `nil` if the typed text is not a complete address.
  public init?(typed text: String) {
    do throws(Malformed) { try self.init(parsing: text) } catch { return nil }
  }
}
