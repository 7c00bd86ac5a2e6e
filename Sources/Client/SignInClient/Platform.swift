public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension SignInClient {
  /// What this device offers: a safe place for secrets, keys, a lock, and a way to send requests.
  ///
  /// `SignInLinux` has `.linux(app:)`, `SignInApple` has `.apple(app:unlockReason:)`, and
  /// `SignInClientTesting` has one without a network for tests.
  public struct Platform: Sendable {
    /// Replace it to send requests in your own way, as through a proxy.
    public var transport: any Transport

    package var storage: any SecureStorage
    package var cryptography: any DeviceCryptography
    package var clock: any DeviceClock
    package var lock: any DeviceLock

    package init(
      storage: any SecureStorage, cryptography: any DeviceCryptography,
      transport: any Transport = URLSessionTransport(), clock: any DeviceClock = SystemClock(),
      lock: any DeviceLock = NoDeviceLock()
    ) {
      self.storage = storage
      self.cryptography = cryptography
      self.transport = transport
      self.clock = clock
      self.lock = lock
    }
  }

  /// Sends one request and waits for its answer.
  public protocol Transport: Sendable {
    /// Redirects are not followed, so that no other server gets a proof or a token; nothing is
    /// cached, and no cookie is kept.
    ///
    /// - Throws: `URLError.notConnectedToInternet` when the device has no network,
    ///   `URLError.timedOut` when no answer came in time; any other error means that the server
    ///   cannot be reached.
    func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse)
  }
}

/// The name inside this package.
package typealias Transport = SignInClient.Transport
