extension String {
  /// Whether both texts are the same bytes, in linear time.
  ///
  /// `==` also takes texts for the same that are canonically equivalent, and is quadratic in runs
  /// of combining marks: text from outside is compared by its bytes.
  public func hasSameBytes(as other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    // Comparing the stored bytes is faster than walking both views.
    let found = utf8.withContiguousStorageIfAvailable { left in
      other.utf8.withContiguousStorageIfAvailable { right in left.elementsEqual(right) }
    }
    return (found ?? nil) ?? utf8.elementsEqual(other.utf8)
  }
}
