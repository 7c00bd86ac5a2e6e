import HTTPServer
import JSONText
import SignInWire

/// The JSON object in the body of a request, with methods that read its members.
///
/// Unknown members are ignored, except in administration: see `Operation.unknownMember`.
struct JSONBody {
  let json: JSON

  private static let mergePatch = "application/merge-patch+json"

  static func read(_ call: Call) -> Outcome<JSONBody> {
    let types = call.request.values(of: "content-type")
    let type = types.count == 1 ? types[0].prefix { $0 != ";" } : ""
    // A patch may have its own media type (RFC 7396).
    let isPatch = call.request.method == .patch && type.lowercased() == mergePatch
    guard isPatch || type.lowercased() == "application/json" else {
      return .refusal(ErrorAnswer(.invalidRequest, "the body must be application/json"))
    }
    do throws(JSONMalformed) {
      let json = try JSONReader.read(call.request.body, within: .request)
      guard json.objectMembers != nil else {
        return .refusal(ErrorAnswer(.invalidRequest, "the body must be a JSON object"))
      }
      if let name = Operation.unknownMember(of: json, in: call.request) {
        return .refusal(ErrorAnswer(.invalidRequest, "\(name) is not a member of this request"))
      }
      return .success(JSONBody(json: json))
    } catch {
      return .refusal(ErrorAnswer(.invalidRequest, "the body is not JSON"))
    }
  }

  /// Reads the body and parses it.
  ///
  /// The request is refused if a member is not valid.
  static func read<Value: Sendable>(
    _ call: Call, _ parse: (JSONBody) throws(Wrong) -> Value
  ) -> Outcome<Value> {
    switch read(call) {
    case .refusal(let refusal): return .refusal(refusal)
    case .success(let body):
      do throws(Wrong) { return .success(try parse(body)) } catch {
        return .refusal(error.refusal)
      }
    }
  }

  /// The members that are missing or not valid.
  struct Wrong: Error {
    let refusal: ErrorAnswer

    /// One member; its value is not repeated.
    init(member: String) {
      self.init(
        MemberMistakes(mistakes: [
          MemberMistake(
            member: member, problem: "is missing or malformed",
            remedy: "see the description of the operation")
        ]))
    }

    init(_ mistakes: MemberMistakes) { refusal = mistakes.refusal }

    init(_ refusal: ErrorAnswer) { self.refusal = refusal }
  }

  /// The text of a member; `nil` if it is absent or null.
  func text(_ name: String) throws(Wrong) -> String? {
    switch json[name] {
    case nil, .null?: return nil
    case .string(let text)?: return text
    default: throw Wrong(member: name)
    }
  }

  func parsed<Value, Fault>(
    _ name: String, _ parse: (String) throws(Fault) -> Value
  ) throws(Wrong) -> Value? {
    guard let text = try text(name) else { return nil }
    do throws(Fault) { return try parse(text) } catch { throw Wrong(member: name) }
  }

  func list<Value, Fault>(
    _ name: String, _ parse: (String) throws(Fault) -> Value
  ) throws(Wrong) -> [Value] {
    switch json[name] {
    case nil, .null?: return []
    case .array(let elements)?:
      var values: [Value] = []
      for element in elements {
        guard let text = element.text else { throw Wrong(member: name) }
        do throws(Fault) { values.append(try parse(text)) } catch { throw Wrong(member: name) }
      }
      return values
    default: throw Wrong(member: name)
    }
  }

  /// The elements of a required list.
  func objects<Value>(_ name: String, _ read: (JSON) -> Value?) throws(Wrong) -> [Value] {
    guard let elements = json[name]?.elements else { throw Wrong(member: name) }
    var values: [Value] = []
    for element in elements {
      guard let value = read(element) else { throw Wrong(member: name) }
      values.append(value)
    }
    return values
  }

  func needed<Value>(_ name: String, _ value: Value?) throws(Wrong) -> Value {
    guard let value else { throw Wrong(member: name) }
    return value
  }
}
