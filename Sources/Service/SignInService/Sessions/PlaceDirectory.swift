public import SignInWire

/// Finds approximate places by network addresses.
public protocol PlaceDirectory: Sendable {
  /// The place of this network address; `nil` if it is not known.
  ///
  /// It reads memory only, so it can be called for each sign-in.
  func place(of address: String) -> SessionPlace?
}
