import HTTPServer
import SignInModel
import SignInService
import SignInWire

extension Route {
  static let ofProductPhotos: [Route] = [
    Route(
      .get, .productPhoto(.id), .products, answer: ownPhoto,
      Operation(
        name: "readProductPhoto", summary: "The photo of one of my products", chapter: .data,
        fields: [knownPhoto], answers: photoAnswers,
        refusals: [.productNotFound, .photoNotFound, .invalidRequest]
      )),
    Route(
      .get, .adminProductPhoto(.id), service: .writeProducts, answer: photo,
      Operation(
        name: "readAnyProductPhoto", summary: "The photo of a product", chapter: .otherSystems,
        query: organizationOfID, fields: [knownPhoto], contents: [RecordQuery.self],
        answers: photoAnswers,
        refusals: [.productNotFound, .photoNotFound, .invalidRequest]
      )),
    Route(
      .put, .adminProductPhoto(.id), service: .writeProducts, answer: savePhoto,
      Operation(
        name: "putProductPhoto",
        summary: "Saves the photo of a product, in place of an earlier one",
        chapter: .otherSystems, query: organizationOfID, body: .photo,
        contents: [RecordQuery.self],
        answers: [.json(.reference(.productPhoto), "The photo is saved")],
        refusals: [
          .invalidRequest, .productNotFound, .photoTooLarge, .photoFormatUnknown, .photoDamaged,
        ]
      )),
    Route(
      .delete, .adminProductPhoto(.id), service: .writeProducts, answer: removePhoto,
      Operation(
        name: "deleteProductPhoto",
        summary: "Removes the photo of a product; the next sync removes it from offline copies",
        chapter: .otherSystems, query: organizationOfID, contents: [RecordQuery.self],
        answers: [.done("The photo is removed")],
        refusals: [.invalidRequest, .productNotFound, .photoNotFound]
      )),
  ]

  private static let knownPhoto = Parameter(
    name: "If-None-Match", schema: .conditionTags, note: "The ETag of the photo read before")

  private static let photoAnswers = [
    Operation.Answer(
      status: 200, note: "The photo, with its digest as the ETag", schema: .photo,
      mediaType: Operation.photoRange),
    Operation.Answer(status: 304, note: "The sender has this photo already"),
  ]

  private static func ownPhoto(_ call: Call, _ access: Access) async throws(Refusal)
    -> HTTPResponse
  {
    .photo(
      try await readOwnProductPhoto(
        ProductID(call.parameter(.id)), of: access, isKnown: call.knowsPhoto, in: call.world))
  }

  private static func photo(_ call: Call, _ principal: DataPrincipal) async throws(Refusal)
    -> HTTPResponse
  {
    .photo(
      try await SignInService.readProductPhoto(
        try call.recordName(), by: principal, isKnown: call.knowsPhoto, in: call.world))
  }

  private static func savePhoto(_ call: Call, _ principal: DataPrincipal) async throws(Refusal)
    -> HTTPResponse
  {
    let photo = try await saveProductPhoto(
      try call.recordName(), call.request.body, by: principal, in: call.world)
    return .json(photo.json)
  }

  private static func removePhoto(_ call: Call, _ principal: DataPrincipal) async throws(Refusal)
    -> HTTPResponse
  {
    try await removeProductPhoto(
      try call.recordName(), by: principal, in: call.world)
    return HTTPResponse(status: 204)
  }
}

extension Call {
  /// Whether `If-None-Match` names the photo with a digest.
  fileprivate var knowsPhoto: @Sendable (String) -> Bool {
    let tags = request.entityTags
    return { digest in tags.contains("W/\"\(digest)\"") }
  }
}

extension HTTPResponse {
  /// A photo may be stored by the browser of its reader, who must ask each time whether it is
  /// still the same.
  static let photoCaching = "private, no-cache"

  fileprivate static func photo(_ reading: PhotoReading) -> HTTPResponse {
    switch reading {
    case .unchanged(let digest): HTTPResponse(status: 304, fields: photoFields(digest))
    case .photo(let photo, let digest):
      HTTPResponse(
        status: 200,
        fields: photoFields(digest) + [HTTPField("Content-Type", photo.format.mediaType)],
        body: photo.content)
    }
  }

  private static func photoFields(_ digest: String) -> [HTTPField] {
    [HTTPField("ETag", "\"\(digest)\""), HTTPField("Cache-Control", photoCaching)]
  }
}
