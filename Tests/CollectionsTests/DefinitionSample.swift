import Collections
import Foundation
import JSONText
import Testing

/// Definitions for tests.
enum DefinitionSample {
  static let roles = ["technician", "rider", "mentor", "owner"]

  /// The collections of the demo, as a company would write them.
  static func demoJSON() throws -> JSON {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "demo.json")
    return try JSONReader.read(Array(try Data(contentsOf: file)))
  }

  static func demo(_ name: String) throws -> CollectionDefinition {
    let all = try CollectionDefinition.read(try demoJSON(), roles: roles)
    return try #require(all.first { $0.name == name })
  }

  static func json(_ text: String) throws -> JSON { try JSONReader.read(Array(text.utf8)) }

  /// One collection with these fields, given as the members of JSON objects, and other members.
  static func text(_ fields: [String], _ more: String = "") -> String {
    let fields = fields.map { "{\($0)}" }.joined(separator: ",")
    let rest = more.isEmpty ? "" : ", \(more)"
    return #"{"name": "visits", "title": {"en": "Visits"}, "fields": [\#(fields)]\#(rest)}"#
  }

  static func definition(
    _ fields: [String], _ more: String = ""
  ) throws -> CollectionDefinition {
    let all = try CollectionDefinition.read(try json("[\(text(fields, more))]"), roles: roles)
    return try #require(all.first)
  }

  /// The mistakes in collections, each as one line.
  static func mistakes(_ collections: String...) throws -> [String] {
    let json = try json("[\(collections.joined(separator: ","))]")
    do {
      _ = try CollectionDefinition.read(json, roles: roles)
      return []
    } catch {
      return error.mistakes.map(\.line)
    }
  }

  /// The mistakes in the fields of one collection.
  static func mistakes(fields: [String], _ more: String = "") throws -> [String] {
    try mistakes(text(fields, more))
  }
}

extension CollectionMistake {
  /// The mistake as a command would print it.
  var line: String { "\(path) \(problem): \(remedy)" }
}
