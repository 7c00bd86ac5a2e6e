import HTTPServer
import JSONText
import SignInWire

/// Finds the routes of a path.
///
/// Exact paths are looked up in a dictionary, and paths with parameters are compared segment by
/// segment.
struct RouteTable: Sendable {
  /// The routes of one path, one for each method, and the values of its parameters.
  struct Match: Sendable {
    /// The path of the table, which names the route in logs and metrics.
    let name: String
    let routes: [Route]
    let parameters: [String: String]
  }

  private let exact: [String: [Route]]
  private let templates: [(template: PathTemplate, routes: [Route])]

  init(_ routes: [Route]) {
    var exact: [String: [Route]] = [:]
    var templates: [(template: PathTemplate, routes: [Route])] = []
    for route in routes {
      let template = PathTemplate(route.path)
      if !template.hasParameters {
        exact[route.path, default: []].append(route)
      } else if let index = templates.firstIndex(where: { $0.template.text == route.path }) {
        templates[index].routes.append(route)
      } else {
        templates.append((template, [route]))
      }
    }
    self.exact = exact
    self.templates = templates
  }

  func match(_ path: String) -> Match? {
    if let routes = exact[path] { return Match(name: path, routes: routes, parameters: [:]) }
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    for (template, routes) in templates {
      if let parameters = template.match(segments) {
        return Match(name: template.text, routes: routes, parameters: parameters)
      }
    }
    return nil
  }
}

/// A path such as `/admin/accounts/{id}`.
///
/// `{id}` matches any single segment.
struct PathTemplate: Sendable {
  private enum Segment: Sendable {
    case literal(Substring)
    case parameter(String)
  }

  let text: String
  private let segments: [Segment]

  init(_ text: String) {
    self.text = text
    segments = text.split(separator: "/", omittingEmptySubsequences: false).map { segment in
      segment.hasPrefix("{") && segment.hasSuffix("}")
        ? .parameter(String(segment.dropFirst().dropLast())) : .literal(segment)
    }
  }

  /// In the order of the path.
  var parameterNames: [String] {
    segments.compactMap { segment in
      switch segment {
      case .literal: nil
      case .parameter(let name): name
      }
    }
  }

  var hasParameters: Bool { !parameterNames.isEmpty }

  /// The values of the parameters; `nil` if the path does not match.
  func match(_ path: [Substring]) -> [String: String]? {
    guard path.count == segments.count else { return nil }
    var parameters: [String: String] = [:]
    for (segment, found) in zip(segments, path) {
      switch segment {
      case .literal(let text): if text != found { return nil }
      case .parameter(let name):
        guard let value = Self.decode(found) else { return nil }
        parameters[name] = value
      }
    }
    return parameters
  }

  /// Decodes one segment of a path; `nil` if it is not allowed.
  ///
  /// A segment must not be empty, be `.` or `..`, contain an encoded slash or a control character,
  /// or be invalid UTF-8. Different programs read such segments in different ways, which attackers
  /// can use.
  static func decode(_ segment: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(segment.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let escaped = EscapedText.takeByte(from: &rest) else { return nil }
      bytes.append(escaped)
    }
    let isPlain = bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") }
    guard isPlain, !bytes.isEmpty, bytes != Array(".".utf8), bytes != Array("..".utf8) else {
      return nil
    }
    guard let text = String(validating: bytes, as: UTF8.self),
      !CombiningMarks.haveRun(in: text, longerThan: Form.marksInARow)
    else { return nil }
    return text
  }
}
