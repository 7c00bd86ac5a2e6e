import SystemPorts

/// Follows the signing keys, so that `fieldpass keys rotate` needs no restart.
protocol SigningKeyWatch: Sendable {
  /// Reads the keys again if they changed, and removes a key after all its tokens have expired.
  func check() async
}

/// Checks regularly the files that a running server follows: the signing keys, and the expiry of
/// the certificate.
final class FileWorker: Sendable {
  static let pauseMilliseconds: Int64 = 1000

  private let task: Task<Void, Never>

  init(_ keys: any SigningKeyWatch, _ certificate: CertificateInUse?, clock: MachineClock) {
    task = Task.detached {
      while !Task.isCancelled {
        certificate?.warn()
        await clock.pause(milliseconds: Self.pauseMilliseconds)
        if Task.isCancelled { break }
        await keys.check()
      }
    }
  }

  func stop() async {
    task.cancel()
    await task.value
  }
}
