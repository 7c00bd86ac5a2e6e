import SignInModel

extension StoredSession {
  /// Stores a session again that an earlier version of the app stored.
  ///
  /// Each change of the session compares the complete stored text. So without this, no change of
  /// such a session would be stored.
  static func updating(_ reading: StorageReading) -> [Effect] {
    guard case .value(let text) = reading, case .session(let record) = StoredSession(text: text),
      Self.text(of: record) != text
    else { return [] }
    return [.replaceSession(text, with: Self.text(of: record))]
  }
}
