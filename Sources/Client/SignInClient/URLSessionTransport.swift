package import Foundation

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

/// Requests over `URLSession`, with nothing cached, no cookie kept and no redirect followed.
///
/// On Linux `URLSession` keeps a processor busy while it waits for an answer, and news from the
/// server are waited for all day: `SignInLinux` sends through libcurl instead.
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

  /// By a handler: the asynchronous form came with iOS 15, and one line makes a package for 14.
  package func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
    try await withCheckedThrowingContinuation { continuation in
      let task = session.dataTask(with: request) { data, response, error in
        if let answer = response as? HTTPURLResponse, error == nil {
          continuation.resume(returning: (data ?? Data(), answer))
        } else {
          continuation.resume(throwing: error ?? URLError(.badServerResponse))
        }
      }
      task.resume()
    }
  }
}

/// A redirect could carry a proof or a token to another server.
private final class NoRedirects: NSObject, URLSessionTaskDelegate {
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }
}
