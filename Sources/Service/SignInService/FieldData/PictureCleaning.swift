import Cryptography
import Pictures
import SignInWire
import Threads

/// Checks photos and removes what they say about their place and time, on a thread of its own.
///
/// A large picture takes a few seconds of processor time and up to 400 MiB, so one is decoded at a
/// time, and an event loop does not wait for it.
final class PictureCleaning: Sendable {
  /// The photos that wait; a further one is refused until there is room.
  static let queueLimit = 16

  /// The thread begins with the first photo.
  private let pool = Monitor(HashingPool?.none)

  func cleaned(_ content: [UInt8], _ format: PhotoFormat) async throws(Refusal) -> [UInt8] {
    let pool = pool.withLock { pool in
      let started = pool ?? HashingPool(threads: 1, queueLimit: Self.queueLimit)
      pool = started
      return started
    }
    let result: Result<[UInt8], PictureFault>
    do throws(HashingPoolFull) {
      result = try await pool.run {
        do throws(PictureFault) {
          return .success(
            try Picture.cleaned(content, format.picture, byteLimit: ProductPhoto.byteLimit))
        } catch {
          return .failure(error)
        }
      }
    } catch {
      throw Refusal.overloaded(retrySeconds: 1)
    }
    switch result {
    case .success(let cleaned): return cleaned
    case .failure(.damaged): throw Refusal.photoDamaged
    case .failure(.tooLarge): throw Refusal.photoTooLarge
    case .failure(.tooManyPoints):
      throw Refusal.photoTooLarge(points: Picture.pointLimit, side: Picture.sideLimit)
    }
  }
}

extension PhotoFormat {
  fileprivate var picture: Picture.Format {
    switch self {
    case .jpeg: .jpeg
    case .png: .png
    case .webp: .webp
    }
  }
}
