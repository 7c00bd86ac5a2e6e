import HTTPServer
import JSONText
import SignInWire

extension Operation {
  /// The path of the first member of an administration body that the description does not contain.
  ///
  /// Without this check a misspelt member would be ignored, and the answer would look like a
  /// success. The values of policy bodies are checked elsewhere. A null removes a value, so here
  /// only its name is checked.
  static func unknownMember(of body: JSON, in request: HTTPRequest) -> String? {
    let segments = request.path.split(separator: "/", omittingEmptySubsequences: false)
    let described = administrationBodies.first { entry in
      entry.method == request.method && entry.path.match(segments) != nil
    }
    guard let described else { return nil }
    let checked = described.isPolicy ? withNullsAlone(body) : body
    return described.schema.unknownMember(of: checked, at: "")
  }

  private static func withNullsAlone(_ value: JSON) -> JSON {
    let members = (value.objectMembers ?? []).compactMap { member -> JSONMember? in
      if member.value == .null { return member }
      guard member.value.objectMembers != nil else { return nil }
      return JSONMember(member.key, withNullsAlone(member.value))
    }
    return .object(members.filter { $0.value != .object([]) })
  }

  private static let administrationBodies:
    [(method: HTTPMethod, path: PathTemplate, schema: Schema, isPolicy: Bool)] = all.compactMap {
      operation in
      guard operation.chapter == .administration, let schema = operation.body.schema
      else { return nil }
      let isPolicy = operation.refusals.contains(.invalidPolicy)
      return (operation.method, PathTemplate(operation.path), schema, isPolicy)
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
    case .text, .limited, .textOrNull, .word, .number, .whole, .flag, .refined, .anything:
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
