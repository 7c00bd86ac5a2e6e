import SystemPorts

/// Checks regularly the files that a running server follows: the signing keys, and the expiry of
/// the certificate.
final class FileWorker: Sendable {
  static let pauseMilliseconds: Int64 = 1000

  private let task: Task<Void, Never>

  init(_ keys: KeyFolderWatch, _ certificate: CertificateInUse?, clock: MachineClock) {
    task = Task.detached {
      while !Task.isCancelled {
        certificate?.warn()
        await clock.pause(milliseconds: Self.pauseMilliseconds)
        if Task.isCancelled { break }
        keys.check()
      }
    }
  }

  func stop() async {
    task.cancel()
    await task.value
  }
}
