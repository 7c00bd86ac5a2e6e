import JSONText
import SignInWire

/// The schema of a JSON value, as a JSON Schema (2020-12, the dialect of OpenAPI 3.1).
indirect enum Schema: Sendable {
  case text
  /// A text in a request.
  case limited(TextLimits)
  /// A text or null.
  case textOrNull
  /// A value of this schema, or null.
  case orNull(Schema)
  /// One of these words.
  case word([String])
  case number
  /// A number in a request.
  case whole(ClosedRange<Int64>)
  case flag
  case list(Schema)
  /// A list in a request, and the limits of its length.
  case many(Schema, ClosedRange<Int>)
  case object([Member])
  /// A reference to a named schema.
  case reference(Name)
  /// A reference to `Name`.
  ///
  /// Its `code` or `error` is one of these words.
  case refined(Name, member: WireField, [String])
  case anything
  /// The bytes of a photo.
  case photo

  enum Name: String, CaseIterable, Sendable {
    case account = "Account"
    case accountPage = "AccountPage"
    case activity = "Activity"
    case activityRecord = "ActivityRecord"
    case appProvider = "AppProvider"
    case batchResult = "BatchResult"
    case broughtProduct = "BroughtProduct"
    case change = "Change"
    case challengeError = "ChallengeError"
    case client = "Client"
    case listedClient = "ListedClient"
    case challenge = "Challenge"
    case dashboard = "Dashboard"
    case delivery = "Delivery"
    case deliveryRecord = "DeliveryRecord"
    case event = "Event"
    case identity = "Identity"
    case job = "Job"
    case jobRecord = "JobRecord"
    case key = "Key"
    case me = "Me"
    case message = "Message"
    case metadata = "Metadata"
    case oauthError = "OAuthError"
    case organization = "Organization"
    case overview = "Overview"
    case permission = "Permission"
    case personExport = "PersonExport"
    case policyChanges = "PolicyChanges"
    case policyPatch = "PolicyPatch"
    case policyValue = "PolicyValue"
    case problem = "Problem"
    case product = "Product"
    case productPhoto = "ProductPhoto"
    case productRecord = "ProductRecord"
    case listedProduct = "HeldProduct"
    case serviceRequest = "ServiceRequest"
    case session = "Session"
    case sessionTerms = "SessionTerms"
    case tokens = "Tokens"
  }

  struct Member: Sendable {
    let name: String
    let schema: Schema
    let isRequired: Bool
    let note: String?

    static func required(_ field: WireField, _ schema: Schema, _ note: String? = nil) -> Member {
      Member(name: field.rawValue, schema: schema, isRequired: true, note: note)
    }

    static func optional(_ field: WireField, _ schema: Schema, _ note: String? = nil) -> Member {
      Member(name: field.rawValue, schema: schema, isRequired: false, note: note)
    }

    /// The cursor beside a list that has pages.
    static let nextCursor = optional(
      .cursor, .text, "The cursor of the next page; absent on the last page")
  }

  var json: JSON { .object(members) }

  private var members: [JSONMember] {
    switch self {
    case .text: return [JSONMember("type", "string")]
    case .limited(let limits): return [JSONMember("type", "string")] + limits.members
    case .textOrNull: return [JSONMember("type", Self.strings(["string", "null"]))]
    case .orNull(let schema):
      let null = JSON.object([JSONMember("type", "null")])
      return [JSONMember("anyOf", .array([schema.json, null]))]
    case .word(let words):
      return [JSONMember("type", "string"), JSONMember("enum", Self.strings(words))]
    case .number: return [JSONMember("type", "integer")]
    case .whole(let range):
      return [
        JSONMember("type", "integer"), JSONMember("minimum", range.lowerBound),
        JSONMember("maximum", range.upperBound),
      ]
    case .flag: return [JSONMember("type", "boolean")]
    case .list(let element):
      return [JSONMember("type", "array"), JSONMember("items", element.json)]
    case .many(let element, let count):
      let least = JSONMember("minItems", Int64(count.lowerBound))
      return [JSONMember("type", "array")] + (count.lowerBound > 0 ? [least] : []) + [
        JSONMember("maxItems", Int64(count.upperBound)), JSONMember("items", element.json),
      ]
    case .object(let members): return Self.properties(members)
    case .reference(let name):
      return [JSONMember("$ref", "#/components/schemas/\(name.rawValue)")]
    case .refined(let name, let member, let words):
      let refinement = Schema.object([.required(member, .word(words))])
      return [JSONMember("allOf", .array([Schema.reference(name).json, refinement.json]))]
    case .anything: return []
    case .photo:
      return [
        JSONMember("type", "string"), JSONMember("format", "binary"),
        JSONMember("maxLength", Int64(ProductPhoto.byteLimit)),
      ]
    }
  }

  private static func properties(_ members: [Member]) -> [JSONMember] {
    let properties = members.map { member in
      let note = JSONMember("description", ifPresent: member.note)
      return JSONMember(member.name, .object(member.schema.members + (note.map { [$0] } ?? [])))
    }
    let required = members.filter { $0.isRequired }.map { $0.name }
    var object = [JSONMember("type", "object"), JSONMember("properties", .object(properties))]
    if !required.isEmpty { object.append(JSONMember("required", strings(required))) }
    return object
  }

  static func strings(_ texts: [String]) -> JSON { .array(texts.map { JSON.string($0) }) }
}
