import JSONText
import SignInModel
import SignInWire

@testable import SignInHTTP

extension Operation {
  /// A description without content.
  static let sample = Operation(name: "sample", summary: "", chapter: .data, answers: [])

  /// The paths of the described fields of the query and the body, such as `permissions.level`.
  var describedPaths: [String] {
    let inBody: [String] =
      switch body {
      case .none, .photo: []
      case .form(let parameters), .formOrJSON(let parameters): parameters.map(\.name)
      case .json(let schema), .optionalJSON(let schema): schema.paths
      }
    return query.map(\.name) + inBody
  }

  /// The paths of the fields that the route reads.
  ///
  /// A path ends with `.*` if it may contain anything.
  var readPaths: [String] { contents.flatMap { FieldPaths.of($0) } }
}

extension Schema {
  fileprivate var paths: [String] {
    switch self {
    case .object(let members):
      members.flatMap { member in
        [member.name] + member.schema.paths.map { "\(member.name).\($0)" }
      }
    case .list(let element), .many(let element, _), .orNull(let element): element.paths
    case .reference(let name), .refined(let name, _, _): name.schema.paths
    case .text, .limited, .textOrNull, .word, .number, .whole, .flag, .anything, .photo: []
    }
  }
}

/// A visit that collects the paths of the fields.
private struct FieldPaths: FormFields, BodyMembers {
  private var paths: [String] = []

  static func of(_ content: any RequestContent.Type) -> [String] {
    var visitor = FieldPaths()
    switch content.init() {
    case var form as any RequestForm: form.visit(&visitor)
    case var body as any RequestBody: body.visit(&visitor)
    default: preconditionFailure("\(content) is neither a form nor a body")
    }
    return visitor.paths
  }

  mutating func field<Value>(
    _ field: WireField, _ value: inout Value?, write: (Value) -> String,
    read: (String) -> Value?
  ) {
    paths.append(field.rawValue)
  }

  mutating func member<Value>(
    _ field: WireField, _ value: inout Value?, write: (Value) -> JSON, read: (JSON) -> Value?
  ) {
    paths.append(field.rawValue)
    if Value.self == JSON.self { paths.append("\(field.rawValue).*") }
    if let list = Value.self as? any BodyList.Type {
      paths += Self.of(list.element).map { "\(field.rawValue).\($0)" }
    }
  }
}

private protocol BodyList {
  static var element: any RequestBody.Type { get }
}

extension Array: BodyList where Element: RequestBody {
  static var element: any RequestBody.Type { Element.self }
}
