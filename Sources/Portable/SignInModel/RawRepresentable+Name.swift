extension RawRepresentable where Self: CaseIterable, RawValue == String {
  /// The case with this name; the names are compared one after another.
  ///
  /// An enumeration with many cases declares `init(rawValue:)` with it. The initializer of the
  /// compiler makes a dictionary, and hashing texts needs 2 kB in a compressed web core.
  public static func first(named name: String) -> Self? {
    for known in allCases where known.rawValue.hasSameBytes(as: name) { return known }
    return nil
  }
}
