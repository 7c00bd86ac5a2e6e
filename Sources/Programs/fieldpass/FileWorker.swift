/// Looks regularly at the files that a running server follows: its signing keys, and how long its
/// certificate is still valid.
final class FileWorker: Sendable {
  static let restMilliseconds: Int64 = 1000

  private let task: Task<Void, Never>

  init(_ keys: KeyFolderWatch, _ certificate: CertificateInUse?, clock: MachineClock) {
    task = Task.detached {
      while !Task.isCancelled {
        certificate?.warn()
        await clock.pause(milliseconds: Self.restMilliseconds)
        if Task.isCancelled { break }
        keys.look()
      }
    }
  }

  func stop() async {
    task.cancel()
    await task.value
  }
}
