internal import Dispatch
internal import Foundation
internal import FoundationNetworking
internal import Synchronization

/// Calls the servers of others, with a bound on everything: calls under way, time, and bytes.
///
/// It keeps connections, verifies certificates with the machine's authorities, follows no redirect,
/// and keeps neither cookies nor answers. Its work is done on threads of its own, never on those
/// that serve requests.
public final class OutboundCalls: Sendable {
  /// An answer longer than this is given up.
  public static let answerByteLimit = 1 << 20
  /// Connections to one server.
  public static let connectionLimit = 64

  private let delegate: AnswerCollector
  private let session: URLSession
  private let underWay = Mutex(0)
  private let callLimit: Int

  /// - Parameter callLimit: Calls under way; one more is turned away at once.
  public init(callLimit: Int = 512) {
    self.callLimit = callLimit
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = Self.connectionLimit
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.urlCache = nil
    configuration.urlCredentialStorage = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    delegate = AnswerCollector()
    session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
  }

  public func send(
    _ request: OutboundRequest
  ) async throws(OutboundFault) -> OutboundAnswer {
    guard let url = URL(string: request.url) else { throw .notSent("the address is malformed") }
    let isAdmitted = underWay.withLock { count in
      guard count < callLimit else { return false }
      count += 1
      return true
    }
    guard isAdmitted else { throw .notSent("too many calls are under way") }
    defer { underWay.withLock { $0 -= 1 } }
    var outgoing = URLRequest(url: url)
    outgoing.httpMethod = request.method.rawValue
    for field in request.fields { outgoing.setValue(field.value, forHTTPHeaderField: field.name) }
    if !request.body.isEmpty { outgoing.httpBody = Data(request.body) }
    outgoing.timeoutInterval = Double(request.deadlineMilliseconds) / 1000 + 1
    let result = await withUnsafeContinuation { continuation in
      let task = session.dataTask(with: outgoing)
      delegate.expect(task.taskIdentifier) { continuation.resume(returning: $0) }
      task.resume()
      // The session's own time-outs count from the last byte, which a slow server can draw out.
      let deadline = DispatchTime.now() + .milliseconds(Int(request.deadlineMilliseconds))
      DispatchQueue.global().asyncAfter(deadline: deadline) { [delegate] in
        if delegate.giveUp(task.taskIdentifier, "no answer in time") { task.cancel() }
      }
    }
    return try result.get()
  }

  /// Ends every call and gives the threads back.
  public func stop() { session.invalidateAndCancel() }
}

/// Puts answers together as they come in.
///
/// `@unchecked Sendable`: everything that changes is in `calls`, behind its lock.
private final class AnswerCollector: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  typealias Completion = @Sendable (Result<OutboundAnswer, OutboundFault>) -> Void

  private struct Call {
    let completion: Completion
    var body: [UInt8] = []
  }

  private let calls = Mutex<[Int: Call]>([:])

  func expect(_ task: Int, _ completion: @escaping Completion) {
    calls.withLock { $0[task] = Call(completion: completion) }
  }

  /// Whether the call was still under way.
  func giveUp(_ task: Int, _ why: String) -> Bool {
    complete(task) { _ in .failure(.unanswered(why)) }
  }

  /// Answers a call once; what comes after that is for nobody.
  private func complete(
    _ task: Int, _ result: (Call) -> Result<OutboundAnswer, OutboundFault>
  ) -> Bool {
    guard let call = calls.withLock({ $0.removeValue(forKey: task) }) else { return false }
    call.completion(result(call))
    return true
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let isTooLong = calls.withLock { calls in
      calls[dataTask.taskIdentifier]?.body.append(contentsOf: data)
      let count = calls[dataTask.taskIdentifier]?.body.count ?? 0
      return count > OutboundCalls.answerByteLimit
    }
    if isTooLong, giveUp(dataTask.taskIdentifier, "the answer is too long") { dataTask.cancel() }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    let response = task.response as? HTTPURLResponse
    _ = complete(task.taskIdentifier) { call in
      if let error { return .failure(Self.fault(error)) }
      guard let response else { return .failure(.unanswered("the answer is no HTTP")) }
      var fields: [String: String] = [:]
      for (name, value) in response.allHeaderFields {
        if let name = name as? String, let value = value as? String {
          fields[name.lowercased()] = value
        }
      }
      return .success(
        OutboundAnswer(status: response.statusCode, fields: fields, body: call.body)
      )
    }
  }

  private static func fault(_ error: any Error) -> OutboundFault {
    guard let error = error as? URLError else { return .unanswered("the connection broke") }
    switch error.code {
    case .cannotFindHost, .dnsLookupFailed: return .notSent("the name is not known")
    case .cannotConnectToHost: return .notSent("nobody listens there")
    case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
      .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid:
      return .notSent("no trusted TLS connection")
    case .unsupportedURL, .badURL: return .notSent("the address is malformed")
    case .timedOut: return .unanswered("no answer in time")
    default: return .unanswered("the connection broke (\(error.code.rawValue))")
    }
  }
}
