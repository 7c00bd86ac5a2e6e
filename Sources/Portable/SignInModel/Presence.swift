extension Optional {
  /// Whether there is a value.
  ///
  /// `!= nil` compiles the comparison of two values into the web core, if they can be compared.
  /// Use this for a large value, because each of its members is compared.
  @inlinable public var isPresent: Bool {
    switch self {
    case .some: true
    case .none: false
    }
  }
}
