import Cryptography
import Pictures
import SignInModel
import SignInWire
import Threads

/// Checks photos and removes what they say about their place and time, on a thread of its own.
///
/// A large picture takes a few seconds of processor time and up to 400 MiB, so one is decoded at a
/// time, and an event loop does not wait for it.
final class PictureCleaning: Sendable {
  /// The photos that wait; a further one is refused until there is room.
  static let queueLimit = 16
  /// The photos of one sender that wait or are being decoded.
  ///
  /// It is half of the queue, so that one sender leaves room to others.
  static let senderLimit = 8

  private struct State {
    /// The thread begins with the first photo.
    var pool: HashingPool?
    /// A sender without a photo is absent.
    var counts: [ClientID?: Int] = [:]
  }

  private let state = Monitor(State())

  /// Counts one more photo of the sender, or returns false if there are as many as the limit says.
  func enter(_ sender: ClientID?) -> Bool {
    state.withLock { state in
      let count = state.counts[sender] ?? 0
      guard count < Self.senderLimit else { return false }
      state.counts[sender] = count + 1
      return true
    }
  }

  func leave(_ sender: ClientID?) {
    state.withLock { state in
      let count = state.counts[sender] ?? 0
      state.counts[sender] = count > 1 ? count - 1 : nil
    }
  }

  /// - Parameters:
  ///   - content: The bytes of the photo.
  ///   - format: The format that the first bytes say.
  ///   - sender: The service account, or the app of the administrator; nil for a command.
  /// - Returns: The photo without metadata.
  /// - Throws: The refusal of a photo that is damaged or too large, or of one more than fits.
  func cleaned(
    _ content: [UInt8], _ format: PhotoFormat, of sender: ClientID?
  ) async throws(Refusal) -> [UInt8] {
    guard enter(sender) else { throw Refusal.overloaded(retrySeconds: 1) }
    defer { leave(sender) }
    let pool = state.withLock { state in
      let started = state.pool ?? HashingPool(threads: 1, queueLimit: Self.queueLimit)
      state.pool = started
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
