public import JSONText

/// An answer that consists of a list, and of a cursor if the list has pages.
///
/// The field is the name of the list.
extension WireField {
  /// The answer with these entries; `cursor` is `nil` on the last page.
  public func list(_ entries: [JSON], cursor: String? = nil) -> JSON {
    .members([JSONMember(self, .array(entries)), JSONMember(.cursor, ifPresent: cursor)])
  }

  /// The entries that this version can read; `nil` if the answer has no such list.
  public func entries<Entry>(in answer: JSON?, _ read: (JSON) -> Entry?) -> [Entry]? {
    guard let elements = answer?[self]?.elements else { return nil }
    var entries: [Entry] = []
    for element in elements { if let entry = read(element) { entries.append(entry) } }
    return entries
  }
}
