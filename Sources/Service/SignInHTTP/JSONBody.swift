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
    let json = try object(call)
    if let name = call.route.operation.unknownMember(of: json) {
      throw Refusal.invalidRequest("\(name) is not a member of this request")
    }
    return JSONBody(json: json)
  }

  /// The object, before its members are checked.
  static func object(_ call: Call) throws(Refusal) -> JSON {
    let type = call.request.mediaType
    // A patch may have its own media type (RFC 7396).
    let isPatch = call.request.method == .patch && type == mergePatch
    guard isPatch || type == "application/json" else {
      throw Refusal.invalidRequest("the body must be application/json")
    }
    let json: JSON
    do throws(JSONMalformed) {
      json = try JSONReader.read(call.request.body, within: call.route.operation.limits)
    } catch {
      throw Refusal.invalidRequest("the body is not JSON")
    }
    guard json.objectMembers != nil else {
      throw Refusal.invalidRequest("the body must be a JSON object")
    }
    return json
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
  func text(_ field: RequestField) throws(Refusal) -> String? {
    switch json[field] {
    case nil, .null?: return nil
    case .string(let text)?: return text
    default: throw .wrongMember(field)
    }
  }

  func list<Value, Fault>(
    _ field: RequestField, _ parse: (String) throws(Fault) -> Value
  ) throws(Refusal) -> [Value] {
    switch json[field] {
    case nil, .null?: return []
    case .array(let elements)?:
      var values: [Value] = []
      for element in elements {
        guard let text = element.text else { throw .wrongMember(field) }
        do throws(Fault) { values.append(try parse(text)) } catch {
          throw .wrongMember(field)
        }
      }
      return values
    default: throw .wrongMember(field)
    }
  }

  /// The elements of a required list.
  func objects<Value>(
    _ field: RequestField, _ read: (JSON) -> Value?
  ) throws(Refusal) -> [Value] {
    guard let elements = json[field]?.elements else { throw .wrongMember(field) }
    var values: [Value] = []
    for element in elements {
      guard let value = read(element) else { throw .wrongMember(field) }
      values.append(value)
    }
    return values
  }

  func needed<Value>(_ field: RequestField, _ value: Value?) throws(Refusal) -> Value {
    guard let value else { throw .wrongMember(field) }
    return value
  }

  func parsed<Value, Fault>(
    _ field: RequestField, _ text: String?, _ parse: (String) throws(Fault) -> Value
  ) throws(Refusal) -> Value {
    let text = try needed(field, text)
    do throws(Fault) { return try parse(text) } catch { throw .wrongMember(field) }
  }
}

extension HTTPRequest {
  /// The media type of the body without parameters, in small letters; empty if there is not one.
  var mediaType: String {
    let types = values(of: "content-type")
    guard types.count == 1 else { return "" }
    return types[0].prefix { $0 != ";" && $0 != " " }.lowercased()
  }
}
