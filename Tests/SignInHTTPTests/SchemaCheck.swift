import JSONText

/// Holds a value against the part of JSON Schema that our own document uses; a keyword that is not
/// known here is an error, so that no part of a schema goes unread.
struct SchemaCheck {
  let document: JSON

  /// What is wrong with `value`, each with its place; nothing when it fits.
  func mistakes(in value: JSON, under schema: JSON, at place: String = "$") -> [String] {
    (schema.objectMembers ?? []).flatMap { keyword -> [String] in
      switch keyword.key {
      case "$ref": return reference(keyword.value, value, place)
      case "allOf":
        return (keyword.value.elements ?? []).flatMap { mistakes(in: value, under: $0, at: place) }
      case "type":
        let types = keyword.value.elements ?? [keyword.value]
        return types.contains(.string(typeName(of: value)))
          ? [] : ["\(place) is none of \(types)"]
      case "enum":
        return keyword.value.elements?.contains(value) == true
          ? [] : ["\(place) is none of the words: \(value)"]
      case "items":
        return (value.elements ?? []).enumerated().flatMap { index, element in
          mistakes(in: element, under: keyword.value, at: "\(place)[\(index)]")
        }
      case "required":
        return (keyword.value.elements ?? []).compactMap { name in
          value[name.text ?? ""] == nil ? "\(place) has no \(name.text ?? "?")" : nil
        }
      case "properties": return properties(keyword.value, value, place)
      case "description": return []
      default: return ["\(place) has a keyword nobody reads: \(keyword.key)"]
      }
    }
  }

  /// The members a schema describes, those it refers to included.
  func described(by schema: JSON) -> Set<String> {
    var names = Set((schema["properties"]?.objectMembers ?? []).map { $0.key })
    for part in schema["allOf"]?.elements ?? [] { names.formUnion(described(by: part)) }
    if let target = schema["$ref"]?.text { names.formUnion(described(by: resolved(target))) }
    return names
  }

  private func properties(_ properties: JSON, _ value: JSON, _ place: String) -> [String] {
    (properties.objectMembers ?? []).flatMap { property in
      value[property.key].map {
        mistakes(in: $0, under: property.value, at: "\(place).\(property.key)")
      } ?? []
    }
  }

  private func reference(_ target: JSON, _ value: JSON, _ place: String) -> [String] {
    let schema = resolved(target.text ?? "")
    guard schema != .null else { return ["\(place) refers to nothing: \(target)"] }
    return mistakes(in: value, under: schema, at: place)
  }

  private func resolved(_ target: String) -> JSON {
    var found = document
    for part in target.split(separator: "/").dropFirst() { found = found[String(part)] ?? .null }
    return found
  }

  private func typeName(of value: JSON) -> String {
    switch value {
    case .null: "null"
    case .bool: "boolean"
    case .int: "integer"
    case .decimal: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }
}
