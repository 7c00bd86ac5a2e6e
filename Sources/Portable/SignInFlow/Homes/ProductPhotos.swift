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
  /// The digests that the server has answered for in this run of the app.
  private var answered: [String] = []
  private var request: RequestID?
  private var requested = ""
  /// Whether nothing is requested until the next complete sync, because the server had a fault or
  /// did not answer.
  private var isPaused = true

  /// Chooses the photos to store after a complete sync.
  mutating func choose(from products: [ProductEntry]) -> [PageEffect] {
    isPaused = false
    (chosen, position) = ([], 0)
    var digests: [String] = []
    var bytes: Int64 = 0
    var last: (bytes: Int64, index: Int) = (0, -1)
    while chosen.count < Self.storedCountLimit,
      let index = Self.smallest(of: products, after: last), let photo = products[index].photo
    {
      last = (photo.bytes, index)
      if Self.has(photo.digest, in: digests) { continue }
      bytes += photo.bytes
      guard bytes <= Self.storedByteLimit else { break }
      chosen.append(products[index])
      digests.append(photo.digest)
    }
    return [.engine(.offlineCopy(.keepPhotos(digests)))]
  }

  /// The index of the next larger photo, or of the next one of the same size.
  ///
  /// A sort of these values would make the core larger than this search.
  private static func smallest(
    of products: [ProductEntry], after last: (bytes: Int64, index: Int)
  ) -> Int? {
    var found: Int?
    var least = Int64.max
    for index in products.indices {
      guard let bytes = products[index].photo?.bytes, bytes < least else { continue }
      if bytes > last.bytes || (bytes == last.bytes && index > last.index) {
        (found, least) = (index, bytes)
      }
    }
    return found
  }

  private static func has(_ digest: String, in digests: [String]) -> Bool {
    for known in digests where known.hasSameBytes(as: digest) { return true }
    return false
  }

  /// Fetches all photos again, because the shell has deleted the stored ones with their key.
  mutating func storeAgain() { (answered, position) = ([], 0) }

  func isFor(_ id: RequestID) -> Bool { request == id }

  /// Requests the photo of the opened product, or else the next one to store.
  ///
  /// There is one request at a time, so that photos do not delay other requests.
  mutating func fetch(opened: ProductEntry?, _ context: inout FlowContext) {
    guard request == nil, !isPaused else { return }
    while position < chosen.count, isAnswered(chosen[position].photo) { position += 1 }
    var product = opened
    if isAnswered(opened?.photo) {
      product = position < chosen.count ? chosen[position] : nil
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

  /// Whether there is nothing to request, because the server has answered or there is no photo.
  private func isAnswered(_ photo: ProductPhoto?) -> Bool {
    photo.map { Self.has($0.digest, in: answered) } ?? true
  }

  mutating func take(_ answer: Answer) {
    request = nil
    if answer.status == 200 || answer.status == 404 {
      // If the photo was removed or replaced, the next sync says so.
      answered.append(requested)
    } else {
      isPaused = true
    }
  }
}
