extension StringProtocol {
  /// Whether both texts are the same bytes, in linear time.
  ///
  /// `==` also takes texts for the same that are canonically equivalent, and is quadratic in runs
  /// of combining marks: text from outside is compared by its bytes.
  public func hasSameBytes(as other: some StringProtocol) -> Bool {
    utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
  }
}
