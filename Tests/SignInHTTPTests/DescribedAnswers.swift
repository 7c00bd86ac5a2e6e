import HTTPServer
import JSONText
import SignInWire

@testable import SignInHTTP

/// Compares an answer of the server with the OpenAPI document.
enum DescribedAnswers {
  /// The mistakes in the answer to a request, or nothing if it matches.
  ///
  /// Only routes are described. The handler itself answers unknown paths and unsupported methods.
  /// Development routes do not exist in production.
  static func mistakes(
    in answer: HTTPResponse, to request: HTTPRequest, isDevelopment: Bool
  ) -> [String] {
    let method = request.method == .head ? HTTPMethod.get : request.method
    let route = Route.all.first { route in
      route.method == method && fits(route.path, request.path)
        && (isDevelopment || !route.isDevelopmentOnly)
    }
    guard let route else { return [] }
    return mistakes(in: answer, to: method, route.path)
  }

  /// The same for a path as it is described, such as `/api/sessions/{id}`.
  static func mistakes(
    in answer: HTTPResponse, to method: HTTPMethod, _ path: String
  ) -> [String] {
    let place = "\(method.rawValue) \(path) \(answer.status)"
    let operation = OpenAPI.document["paths"]?[path]?[method.rawValue.lowercased()]
    guard let response = operation?["responses"]?[String(answer.status)] else {
      return ["\(place) is not described"]
    }
    let type = answer.fields.first { $0.isNamed("content-type") }?.value.prefix { $0 != ";" }
    guard let content = response["content"] else {
      return answer.body.isEmpty ? [] : ["\(place) has a body that is not described"]
    }
    let isPhoto = PhotoFormat.allCases.contains { $0.mediaType == String(type ?? "") }
    let range = isPhoto ? Operation.photoRange : String(type ?? "")
    guard let schema = content[range]?["schema"] else {
      return ["\(place) has another media type: \(type ?? "none")"]
    }
    // Compressed answers are compared with their schema elsewhere, where they are not compressed.
    let isCompressed = answer.fields.contains { $0.isNamed("content-encoding") }
    guard type?.hasSuffix("json") == true, !isCompressed else { return [] }
    let check = SchemaCheck(document: OpenAPI.document)
    var mistakes = check.mistakes(in: answer.json, under: schema).map { "\(place): \($0)" }
    let described = check.described(by: schema)
    for member in answer.json.objectMembers ?? []
    where !described.isEmpty && !described.contains(member.key) {
      mistakes.append("\(place): \(member.key) is not described")
    }
    return mistakes
  }

  /// The operation's name if the answer is a success.
  static func success(of answer: HTTPResponse, to method: HTTPMethod, _ path: String) -> String? {
    guard answer.status < 300 || answer.status == 303 else { return nil }
    return Route.all.first { $0.method == method && $0.path == path }?.operation.name
  }

  private static func fits(_ template: String, _ path: String) -> Bool {
    let (parts, segments) = (template.split(separator: "/"), path.split(separator: "/"))
    return parts.count == segments.count
      && zip(parts, segments).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
  }
}
