package import Foundation

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

/// Sends requests with `URLSession`, without a cache, cookies and redirects.
///
/// On Linux, `URLSession` uses much processor time while it waits for an answer, and some requests
/// wait for a long time. So `SignInLinux` sends requests with libcurl instead.
package struct URLSessionTransport: SignInClient.Transport {
  private let session: URLSession

  package init() {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    session = URLSession(
      configuration: configuration, delegate: NoRedirects(), delegateQueue: nil
    )
  }

  package func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
    let (data, response) = try await session.data(for: request)
    guard let answer = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
    return (data, answer)
  }
}

/// Refuses redirects, because another server could get a proof or a token.
private final class NoRedirects: NSObject, URLSessionTaskDelegate {
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }
}
