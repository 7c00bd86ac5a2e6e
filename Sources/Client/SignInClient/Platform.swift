public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension SignInClient {
  /// What this device provides: secure storage, keys, an app lock, a clock, and a way to send
  /// requests.
  ///
  /// `SignInLinux` has `.linux(app:)`, and `SignInApple` has `.apple(app:unlockReason:)`. For
  /// tests, `SignInClientTesting` has a platform without a network.
  public struct Platform: Sendable {
    /// Replace it to send requests in your own way, for example through a proxy.
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
    /// Sends the request and returns the answer.
    ///
    /// Do not follow redirects, because another server could get a proof or a token. Do not cache
    /// answers, and do not store cookies.
    ///
    /// - Throws: `URLError.notConnectedToInternet` if the device has no network, and
    ///   `URLError.timedOut` if no answer arrived in time. Any other error means that the server
    ///   cannot be reached.
    func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse)
  }
}

/// The name inside this package.
package typealias Transport = SignInClient.Transport
