import SignInEngine
import SignInModel
import SignInWire

/// Decides which photos of products the app fetches, and which it stores for later.
///
/// The shell has the photos. Where one is missing, the screen has a neutral picture.
struct ProductPhotos: Equatable, Sendable {
  /// The most bytes of all stored photos.
  ///
  /// If there are more, the largest photos are not stored.
  static var storedByteLimit: Int64 { 4_000_000 }
  /// The most stored photos.
  static var storedCountLimit: Int { 400 }

  /// The products whose photos are stored, the smallest photo first.
  private var chosen: [ProductEntry] = []
  /// The first of these products whose photo may have to be requested.
  private var position = 0
  /// The digests that are on the device, because they were fetched in this run of the app.
  private var fetched: [String] = []
  /// The photo of the opened product, after it was requested.
  private var openedDigest = ""
  private var request: RequestID?
  private var requested = ""
  /// Whether nothing is requested until the next complete sync, because the server is busy or did
  /// not answer.
  private var isPaused = true

  /// Chooses the photos to store after a complete sync.
  ///
  /// A photo that was not answered with success before is requested again.
  mutating func choose(from products: [ProductEntry]) -> [PageEffect] {
    isPaused = false
    (chosen, position) = ([], 0)
    var digests: [String] = []
    var bytes: Int64 = 0
    var last = ProductPhoto(digest: "", bytes: 0)
    while chosen.count < Self.storedCountLimit,
      let index = Self.smallest(of: products, after: last), let photo = products[index].photo
    {
      last = photo
      bytes += photo.bytes
      guard bytes <= Self.storedByteLimit else { break }
      chosen.append(products[index])
      digests.append(photo.digest)
    }
    return [.engine(.offlineCopy(.keepPhotos(digests)))]
  }

  /// The index of the next photo in the order of bytes and digests.
  ///
  /// So products with the same photo count once. A sort of these values would make the core larger
  /// than this search.
  private static func smallest(of products: [ProductEntry], after last: ProductPhoto) -> Int? {
    var found: Int?
    var least = ProductPhoto(digest: "", bytes: .max)
    for index in products.indices {
      guard let photo = products[index].photo, precedes(last, photo), precedes(photo, least)
      else { continue }
      (found, least) = (index, photo)
    }
    return found
  }

  private static func precedes(_ one: ProductPhoto, _ other: ProductPhoto) -> Bool {
    one.bytes == other.bytes
      ? Array(one.digest.utf8).lexicographicallyPrecedes(Array(other.digest.utf8))
      : one.bytes < other.bytes
  }

  private static func has(_ digest: String, in digests: [String]) -> Bool {
    for known in digests where known.hasSameBytes(as: digest) { return true }
    return false
  }

  /// Fetches all photos again, because the shell has deleted the stored ones with their key.
  mutating func storeAgain() { (fetched, position, requested, openedDigest) = ([], 0, "", "") }

  func isFor(_ id: RequestID) -> Bool { request == id }

  /// Requests the photo of the opened product, or else the next one to store.
  ///
  /// There is one request at a time, so that photos do not delay other requests.
  mutating func fetch(opened: ProductEntry?, _ context: inout FlowContext) {
    guard request == nil, !isPaused else { return }
    if opened?.photo == nil { openedDigest = "" }
    while position < chosen.count, isFetched(chosen[position].photo) { position += 1 }
    var product = position < chosen.count ? chosen[position] : nil
    if let photo = opened?.photo, !photo.digest.hasSameBytes(as: openedDigest) {
      product = opened
      openedDigest = photo.digest
    }
    guard let product, let photo = product.photo else { return }
    requested = photo.digest
    request = context.ask(
      .get(
        .productPhoto(Endpoint.Segment(product.id.text)),
        to: BodyTarget(isChosen(photo) ? .storedPhoto : .photo, requested)))
  }

  private func isChosen(_ photo: ProductPhoto) -> Bool {
    for product in chosen where product.photo?.digest.hasSameBytes(as: photo.digest) == true {
      return true
    }
    return false
  }

  private func isFetched(_ photo: ProductPhoto?) -> Bool {
    photo.map { Self.has($0.digest, in: fetched) } ?? true
  }

  mutating func take(_ answer: Answer) {
    request = nil
    switch answer {
    case .onDevice, .received(200, _, _):
      if !Self.has(requested, in: fetched) { fetched.append(requested) }
    case .noNetwork, .unreachable, .timedOut, .received(429, _, _), .received(503, _, _):
      isPaused = true
      openedDigest = ""
    case .received:
      // Another product can have the same photo, so only this product is left out until the next
      // sync.
      if position < chosen.count, chosen[position].photo?.digest.hasSameBytes(as: requested) == true
      {
        position += 1
      }
    }
  }
}
