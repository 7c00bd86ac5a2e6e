import JSONText
import SignInService
import SignInWire

/// The description of one route for developers: its request, its answers and its refusals.
struct Operation: Sendable {
  enum Tag: String, CaseIterable, Sendable {
    case discovery = "Discovery"
    case signIn = "Sign-in"
    case data = "Apps' data"
    case administration = "Administration"
    case otherSystems = "Data of other systems"
    case operation = "Operation"
    case development = "Development"

    var note: String? {
      switch self {
      case .discovery, .signIn, .data, .administration, .operation: nil
      case .otherSystems:
        "With a token of a service account that has the scope, or of an administrator's session."
      case .development:
        "Routes that exist only with --development. They answer 403 if Host is not a loopback"
          + " name, or if Sec-Fetch-Site shows that a web page of another site sent the request."
      }
    }
  }

  struct Parameter: Sendable {
    let name: String
    let schema: Schema
    let note: String
    var isRequired = false

    init(name: String, schema: Schema, note: String, isRequired: Bool = false) {
      (self.name, self.schema, self.note, self.isRequired) = (name, schema, note, isRequired)
    }

    init(_ field: WireField, schema: Schema, note: String, isRequired: Bool = false) {
      self.init(name: field.rawValue, schema: schema, note: note, isRequired: isRequired)
    }
  }

  enum Body: Sendable {
    case none
    /// `application/x-www-form-urlencoded`
    case form([Parameter])
    /// One JSON object of texts.
    ///
    /// The route also accepts a form with the same members. The form is not described, because code
    /// generators need one body for each operation.
    case formOrJSON([Parameter])
    case json(Schema)
    /// A JSON body that may be absent.
    case optionalJSON(Schema)
    /// The bytes of a photo.
    case photo

    var isPhoto: Bool {
      switch self {
      case .photo: true
      case .none, .form, .formOrJSON, .json, .optionalJSON: false
      }
    }

    /// The schema of a JSON body; `nil` for other bodies.
    var schema: Schema? {
      switch self {
      case .none, .form, .formOrJSON, .photo: nil
      case .json(let schema), .optionalJSON(let schema): schema
      }
    }
  }

  struct Answer: Sendable {
    let status: Int
    let note: String
    /// `nil` if the answer has no body.
    var schema: Schema?
    var mediaType = "application/json"

    static func json(_ schema: Schema, _ note: String, status: Int = 200) -> Answer {
      Answer(status: status, note: note, schema: schema)
    }

    static func text(_ note: String, status: Int = 200) -> Answer {
      Answer(status: status, note: note, schema: .text, mediaType: "text/plain")
    }

    static func done(_ note: String) -> Answer { Answer(status: 204, note: note) }
  }

  /// The media types of photos.
  static let photoRange = "image/*"

  let name: String
  let summary: String
  let chapter: Tag
  var query: [Parameter] = []
  /// The request header fields, without those that `access` needs.
  var fields: [Parameter] = []
  var body = Body.none
  /// The limits of a JSON body.
  var limits = JSONLimits.request
  /// The contents that the route reads from its query or its body.
  var contents: [any RequestContent.Type] = []
  let answers: [Answer]
  /// The refusals of this route, without those of `access`.
  var refusals: [ErrorCode] = []
  /// The schema of a refusal.
  var refusalForm = Schema.Name.problem
}

extension Route {
  /// All refusals of the route, by status.
  var refusalsByStatus: [(status: Int, codes: [ErrorCode])] {
    var codes: [Int: [ErrorCode]] = [:]
    for code in accessRefusals + operation.refusals {
      let status = operation.refusalForm == .problem ? code.dataStatus : code.status
      codes[status, default: []].append(code)
    }
    return codes.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  private var accessRefusals: [ErrorCode] {
    switch access {
    case .open, .development: []
    case .proof: [.invalidProof, .useProofNonce]
    case .session: [.invalidToken, .invalidProof, .useProofNonce, .temporarilyUnavailable]
    case .scope, .service:
      [
        .invalidToken, .invalidProof, .useProofNonce, .insufficientScope,
        .temporarilyUnavailable,
      ] + (permission == nil ? [] : [.permissionDenied])
    }
  }
}
