@testable import SignInHTTP

extension Operation {
  /// A description without content.
  static let sample = Operation(name: "sample", summary: "", chapter: .data, answers: [])

  /// The names of the described fields of the query and the body.
  var describedFields: [String] {
    let inBody: [String] =
      switch body {
      case .none: []
      case .form(let parameters), .formOrJSON(let parameters): parameters.map(\.name)
      case .json(.object(let members)), .optionalJSON(.object(let members)): members.map(\.name)
      case .json, .optionalJSON: []
      }
    return query.map(\.name) + inBody
  }
}
