import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Requests over `URLSession`, with nothing cached, no cookie kept and no redirect followed.
///
/// On Linux give the client the `CurlTransport` of `SignInLinux` instead: `URLSession` there keeps
/// a processor busy while it waits for an answer, and news from the server are waited for all day.
public struct URLSessionTransport: Transport {
  private let session: URLSession

  public init() {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    session = URLSession(
      configuration: configuration, delegate: NoRedirects(), delegateQueue: nil
    )
  }

  public func send(_ request: TransportRequest) async throws(TransportFault) -> TransportReply {
    guard let url = URL(string: request.address) else { throw .unreachable }
    var made = URLRequest(url: url)
    made.httpMethod = request.method
    made.timeoutInterval = TimeInterval(request.timeoutSeconds)
    made.cachePolicy = .reloadIgnoringLocalCacheData
    for field in request.fields { made.setValue(field.value, forHTTPHeaderField: field.name) }
    if !request.body.isEmpty { made.httpBody = Data(request.body) }
    return try await perform(made).get()
  }

  /// By a handler: the asynchronous form came with iOS 15, and one line makes a package for 14.
  private func perform(_ request: URLRequest) async -> Result<TransportReply, TransportFault> {
    await withCheckedContinuation { continuation in
      let task = session.dataTask(with: request) { data, response, error in
        if let answer = response as? HTTPURLResponse, error == nil {
          continuation.resume(returning: .success(Self.reply(answer, data)))
        } else {
          continuation.resume(returning: .failure(Self.fault((error as? URLError)?.code)))
        }
      }
      task.resume()
    }
  }

  /// What an error of the system means; one that is not known says nothing of the network.
  static func fault(_ code: URLError.Code?) -> TransportFault {
    switch code {
    case .notConnectedToInternet?, .dataNotAllowed?, .internationalRoamingOff?, .callIsActive?:
      .noNetwork
    case .timedOut?: .timedOut
    default: .unreachable
    }
  }

  private static func reply(_ answer: HTTPURLResponse, _ data: Data?) -> TransportReply {
    TransportReply(
      status: Int64(answer.statusCode), body: data.map { [UInt8]($0) } ?? [],
      date: answer.value(forHTTPHeaderField: "Date"),
      nonce: answer.value(forHTTPHeaderField: "DPoP-Nonce")
    )
  }
}

/// A redirect could carry a proof or a token to somebody else.
private final class NoRedirects: NSObject, URLSessionTaskDelegate {
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }
}
