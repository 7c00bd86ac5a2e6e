import JSONText
import SignInEngine
import SignInModel
public import SignInWire

/// Which values the page of a policy shows.
public struct PolicyFilter: Equatable, Sendable {
  /// What the person searches for.
  public internal(set) var text = ""
  /// Whether only the values of `differs` are shown.
  public internal(set) var isOnlyDiffering = false

  public init() {}

  public var isEmpty: Bool { text.isEmpty && !isOnlyDiffering }

  /// Whether the console changed the value, or the organization of the page sets it itself.
  ///
  /// A value that the configuration sets for an app does not differ. A value of an organization
  /// that is weaker than the app's differs, although it has no effect.
  public static func differs(_ value: PolicyValue) -> Bool { value.isChanged || value.own != .null }

  /// Whether the value is shown.
  ///
  /// Each searched word must be in the key, or in `texts`, which are what the person reads about
  /// the value.
  public func allows(_ value: PolicyValue, _ texts: [String]) -> Bool {
    if isOnlyDiffering, !Self.differs(value) { return false }
    var folded = FoldedText.fold(value.key.rawValue)
    for text in texts { folded += [0x20] + FoldedText.fold(text) }
    for word in FoldedText.fold(text).split(separator: 0x20)
    where !folded.contains(word, in: 0..<folded.count) { return false }
    return true
  }

  /// Ends the search, or shows the values that do not differ too if nothing is searched.
  mutating func clear() {
    if text.isEmpty { isOnlyDiffering = false } else { text = "" }
  }
}

/// The page of a policy, as its address names it.
struct PolicyPlace: Equatable, Sendable {
  /// The identifier of the row in the list of policies.
  let item: String
  /// The app whose values the page of an organization shows, if it is not the first one.
  let client: ClientID?
  /// The value that is open.
  let key: PolicyKey?
  let filter: PolicyFilter

  /// The place as a path with a query.
  func text(in list: PlaceList) -> String {
    var fields: [Form.Field] = []
    if let client { fields.append(Form.Field(.client, client.text)) }
    if !filter.text.isEmpty { fields.append(Form.Field(.query, filter.text)) }
    if filter.isOnlyDiffering { fields.append(Form.Field(.changed, "true")) }
    return PlaceList.place(list.place(of: item), part: key?.rawValue, fields)
  }
}

extension PolicyPlace {
  init(_ item: String, _ options: Form) {
    self.item = item
    client = options[.client].map { ClientID($0) }
    var key: PolicyKey?
    for field in options.fields { key = PolicyKey(rawValue: field.name) ?? key }
    self.key = key
    var filter = PolicyFilter()
    filter.text = options[.query] ?? ""
    filter.isOnlyDiffering = options[.changed]?.hasSameBytes(as: "true") ?? false
    self.filter = filter
  }
}
