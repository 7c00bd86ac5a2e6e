import JSONText
import SignInWire

extension Operation {
  /// The path of the first member of an administration body that the description does not contain.
  ///
  /// Without this check a misspelt member would be ignored, and the answer would look like a
  /// success. The values of policy bodies are checked elsewhere. A null removes a value, so here
  /// only its name is checked.
  func unknownMember(of body: JSON) -> String? {
    guard chapter == .administration, let schema = self.body.schema else { return nil }
    let isPolicy = refusals.contains(.invalidPolicy)
    return schema.unknownMember(of: isPolicy ? Self.withNullsAlone(body) : body, at: "")
  }

  private static func withNullsAlone(_ value: JSON) -> JSON {
    let members = (value.objectMembers ?? []).compactMap { member -> JSONMember? in
      if member.value == .null { return member }
      guard member.value.objectMembers != nil else { return nil }
      return JSONMember(member.key, withNullsAlone(member.value))
    }
    return .object(members.filter { $0.value != .object([]) })
  }
}

extension Schema {
  fileprivate func unknownMember(of value: JSON, at place: String) -> String? {
    switch self {
    case .object(let members):
      for given in value.objectMembers ?? [] {
        let name = Self.shortened(given.key)
        guard let known = members.first(where: { given.isNamed($0.name) }) else {
          return place + name
        }
        if let found = known.schema.unknownMember(of: given.value, at: "\(place)\(name).") {
          return found
        }
      }
      return nil
    case .list(let schema), .many(let schema, _):
      for (index, element) in (value.elements ?? []).enumerated() {
        if let found = schema.unknownMember(of: element, at: "\(place)\(index).") { return found }
      }
      return nil
    case .orNull(let schema): return schema.unknownMember(of: value, at: place)
    case .reference(let name): return name.schema.unknownMember(of: value, at: place)
    case .text, .limited, .textOrNull, .word, .number, .whole, .flag, .refined, .anything, .photo:
      return nil
    }
  }

  /// The length to which an unknown name is cut in an answer, in characters.
  static let shownNameLimit = 64

  private static func shortened(_ name: String) -> String {
    let shown = name.prefix(shownNameLimit)
    return shown.utf8.count < name.utf8.count ? shown + "…" : name
  }
}
