import SignInModel

extension EmailAddress {
  /// Nil while what is typed is not complete.
  init?(typed text: String) {
    do throws(Malformed) { try self.init(parsing: text) } catch { return nil }
  }
}
