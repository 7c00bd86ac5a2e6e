public import JSONText

/// The list in an answer that consists of a list, and of a cursor if it has pages.
///
/// The value is the name of the list.
public enum AnswerList: String, Sendable, CaseIterable {
  case accounts
  case clients
  case events
  case identities
  case messages
  case organizations
  case products
  case serviceRequests = "service_requests"
  case sessions

  public static let cursorName = "cursor"

  /// The answer with these entries; `cursor` is `nil` on the last page.
  public func json(_ entries: [JSON], cursor: String? = nil) -> JSON {
    .members([
      JSONMember(rawValue, .array(entries)), JSONMember(Self.cursorName, ifPresent: cursor),
    ])
  }

  /// The entries that this version can read; `nil` if the answer has no such list.
  public func entries<Entry>(in answer: JSON?, _ read: (JSON) -> Entry?) -> [Entry]? {
    guard let elements = answer?[rawValue]?.elements else { return nil }
    var entries: [Entry] = []
    for element in elements { if let entry = read(element) { entries.append(entry) } }
    return entries
  }

  public static func cursor(in answer: JSON) -> String? { answer[cursorName]?.text }
}
