public import SignInModel

extension PhoneNumber {
  /// `nil` if the typed text is not a complete number with its calling code.
  public init?(typed text: String) {
    do throws(Malformed) { try self.init(parsing: text) } catch { return nil }
  }

  /// `nil` if the app did not store the text as a number.
  init?(remembered text: String) {
    do throws(Malformed) { try self.init(stored: text) } catch { return nil }
  }
}

extension PersonName {
  public init?(typed text: String) {
    do throws(Malformed) { try self.init(parsing: text) } catch { return nil }
  }
}
