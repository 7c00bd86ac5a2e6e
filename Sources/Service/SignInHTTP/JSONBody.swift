import HTTPServer
import JSONText
import SignInWire

/// The JSON object in the body of a request, with methods that read its members.
///
/// Unknown members are ignored, except in administration: see `Operation.unknownMember`.
struct JSONBody {
  let json: JSON

  private static let mergePatch = "application/merge-patch+json"

  static func read(_ call: Call) throws(Refusal) -> JSONBody {
    let types = call.request.values(of: "content-type")
    let type = types.count == 1 ? types[0].prefix { $0 != ";" } : ""
    // A patch may have its own media type (RFC 7396).
    let isPatch = call.request.method == .patch && type.lowercased() == mergePatch
    guard isPatch || type.lowercased() == "application/json" else {
      throw Refusal.invalidRequest("the body must be application/json")
    }
    let json: JSON
    do throws(JSONMalformed) {
      json = try JSONReader.read(call.request.body, within: .request)
    } catch {
      throw Refusal.invalidRequest("the body is not JSON")
    }
    guard json.objectMembers != nil else {
      throw Refusal.invalidRequest("the body must be a JSON object")
    }
    if let name = call.route.operation.unknownMember(of: json) {
      throw Refusal.invalidRequest("\(name) is not a member of this request")
    }
    return JSONBody(json: json)
  }

  /// Reads the body and parses it.
  ///
  /// The request is refused if a member is not valid.
  static func read<Value: Sendable>(
    _ call: Call, _ parse: (JSONBody) throws(Refusal) -> Value
  ) throws(Refusal) -> Value {
    try parse(try read(call))
  }

  /// The text of a member; `nil` if it is absent or null.
  func text(_ name: String) throws(Refusal) -> String? {
    switch json[name] {
    case nil, .null?: return nil
    case .string(let text)?: return text
    default: throw Refusal(wrongMember: name)
    }
  }

  func parsed<Value, Fault>(
    _ name: String, _ parse: (String) throws(Fault) -> Value
  ) throws(Refusal) -> Value? {
    guard let text = try text(name) else { return nil }
    do throws(Fault) { return try parse(text) } catch { throw Refusal(wrongMember: name) }
  }

  func list<Value, Fault>(
    _ name: String, _ parse: (String) throws(Fault) -> Value
  ) throws(Refusal) -> [Value] {
    switch json[name] {
    case nil, .null?: return []
    case .array(let elements)?:
      var values: [Value] = []
      for element in elements {
        guard let text = element.text else { throw Refusal(wrongMember: name) }
        do throws(Fault) { values.append(try parse(text)) } catch {
          throw Refusal(wrongMember: name)
        }
      }
      return values
    default: throw Refusal(wrongMember: name)
    }
  }

  /// The elements of a required list.
  func objects<Value>(_ name: String, _ read: (JSON) -> Value?) throws(Refusal) -> [Value] {
    guard let elements = json[name]?.elements else { throw Refusal(wrongMember: name) }
    var values: [Value] = []
    for element in elements {
      guard let value = read(element) else { throw Refusal(wrongMember: name) }
      values.append(value)
    }
    return values
  }

  func needed<Value>(_ name: String, _ value: Value?) throws(Refusal) -> Value {
    guard let value else { throw Refusal(wrongMember: name) }
    return value
  }
}

extension Refusal {
  /// A member that is missing or not valid; its value is not repeated.
  init(wrongMember name: String) {
    self =
      MemberMistakes(mistakes: [
        MemberMistake(
          member: name, problem: "is missing or malformed",
          remedy: "see the description of the operation")
      ]).refusal
  }
}
