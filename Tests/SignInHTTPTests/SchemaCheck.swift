import Foundation
import JSONText

/// Compares a value with the part of JSON Schema that our own document uses.
///
/// An unknown keyword is an error, so that no part of a schema is ignored.
struct SchemaCheck {
  let document: JSON

  /// The mistakes in `value` with their positions, or nothing if it matches.
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
      case "anyOf":
        let parts = keyword.value.elements ?? []
        let fits = parts.contains { mistakes(in: value, under: $0, at: place).isEmpty }
        return fits ? [] : ["\(place) fits none of \(parts.count) schemas"]
      case "minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems":
        return isWithin(keyword, value) ? [] : ["\(place) breaks \(keyword.key)"]
      case "pattern":
        guard let pattern = keyword.value.text, let text = value.text else { return [] }
        // The match must be the whole text, because `$` also matches before a line end here.
        let found = text.range(of: pattern, options: .regularExpression)
        return found == text.startIndex..<text.endIndex
          ? [] : ["\(place) breaks the pattern \(pattern)"]
      case "description": return []
      default: return ["\(place) has an unknown keyword: \(keyword.key)"]
      }
    }
  }

  /// Values of another type have no such limit.
  private func isWithin(_ keyword: JSONMember, _ value: JSON) -> Bool {
    let every = Int64.min...Int64.max
    guard let limit = keyword.value.number(in: every) else { return false }
    let quantity: Int64? =
      switch keyword.key {
      case "minLength", "maxLength": value.text.map { Int64($0.unicodeScalars.count) }
      case "minItems", "maxItems": value.elements.map { Int64($0.count) }
      default: value.number(in: every)
      }
    guard let quantity else { return true }
    return keyword.key.hasPrefix("min") ? quantity >= limit : quantity <= limit
  }

  /// The members that a schema describes, including referenced schemas.
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
