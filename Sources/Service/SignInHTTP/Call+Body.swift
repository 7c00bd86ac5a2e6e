import HTTPServer
import JSONText
import SignInWire

extension Call {
  private static let mergePatch = "application/merge-patch+json"

  /// The JSON object in the body.
  ///
  /// Unknown members are ignored, except in administration: see `Operation.unknownMember`.
  func body() throws(Refusal) -> JSON {
    let json = try uncheckedBody()
    if let name = route.operation.unknownMember(of: json) {
      throw Refusal.invalidRequest("\(name) is not a member of this request")
    }
    return json
  }

  /// The object, before its members are checked.
  func uncheckedBody() throws(Refusal) -> JSON {
    let type = request.mediaType
    // A patch may have its own media type (RFC 7396).
    let isPatch = request.method == .patch && type == Self.mergePatch
    guard isPatch || type == "application/json" else {
      throw Refusal.invalidRequest("the body must be application/json")
    }
    let json: JSON
    do throws(JSONMalformed) {
      json = try JSONReader.read(request.body, within: route.operation.limits)
    } catch {
      throw Refusal.invalidRequest("the body is not JSON")
    }
    guard json.objectMembers != nil else {
      throw Refusal.invalidRequest("the body must be a JSON object")
    }
    return json
  }
}

extension WireField {
  /// Refuses the request if there is no value.
  func needed<Value>(_ value: Value?) throws(Refusal) -> Value {
    guard let value else { throw .wrongMember(self) }
    return value
  }

  /// Refuses the request if the text is absent or malformed.
  func parsed<Value, Fault>(
    _ text: String?, _ parse: (String) throws(Fault) -> Value
  ) throws(Refusal) -> Value {
    let text = try needed(text)
    do throws(Fault) { return try parse(text) } catch { throw .wrongMember(self) }
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
