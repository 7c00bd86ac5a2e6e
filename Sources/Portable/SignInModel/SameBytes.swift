extension String {
  /// Whether both texts have the same bytes, in linear time.
  ///
  /// `==` also compares canonically equivalent texts as equal, and its time is quadratic in the
  /// length of a run of combining marks. So text from outside is compared by its bytes.
  public func hasSameBytes(as other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    // Comparing the stored bytes is faster than iterating over both UTF-8 views.
    let found = utf8.withContiguousStorageIfAvailable { left in
      other.utf8.withContiguousStorageIfAvailable { right in left.elementsEqual(right) }
    }
    return (found ?? nil) ?? (Array(utf8) == Array(other.utf8))
  }
}
