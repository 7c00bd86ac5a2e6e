internal import CCurl
internal import Glibc

/// One call on its way, and its answer as it comes in.
///
/// `@unchecked Sendable`: handed over whole to the thread that runs calls, and touched there alone.
final class OutboundTransfer: @unchecked Sendable {
  typealias Completion = @Sendable (Result<OutboundAnswer, OutboundFault>) -> Void

  let deadline: ContinuousClock.Instant
  private let request: OutboundRequest
  private let completion: Completion
  private var sentFields: UnsafeMutablePointer<curl_slist>?
  private var fields: [String: String] = [:]
  private var body: [UInt8] = []
  private var isTooLong = false

  init(_ request: OutboundRequest, _ completion: @escaping Completion) {
    self.request = request
    self.completion = completion
    deadline = .now + .milliseconds(request.deadlineMilliseconds)
  }

  deinit { curl_slist_free_all(sentFields) }

  func fail(_ fault: OutboundFault) { completion(.failure(fault)) }

  func complete(_ outcome: Result<OutboundAnswer, OutboundFault>) { completion(outcome) }

  /// Answers whether libcurl takes the request; the transfer outlives `call`.
  func prepare(_ call: UnsafeMutableRawPointer) -> Bool {
    var codes = [
      fp_set_text(call, CURLOPT_URL, request.url),
      fp_set_text(call, CURLOPT_PROTOCOLS_STR, "http,https"),
      fp_set_text(call, CURLOPT_USERAGENT, "Fieldpass"),
      // Signals are for the whole process.
      fp_set_number(call, CURLOPT_NOSIGNAL, 1),
      fp_set_receivers(
        call, Self.takeField, Self.takeBody, Unmanaged.passUnretained(self).toOpaque()
      ),
    ]
    // As for every other connection of this server (OpenSSL's own name).
    if let authorities = getenv("SSL_CERT_FILE") {
      codes.append(fp_set_text(call, CURLOPT_CAINFO, authorities))
    }
    if request.method == .post || !request.body.isEmpty {
      codes.append(fp_set_body(call, request.body, request.body.count))
    }
    if request.method != .get {
      codes.append(fp_set_text(call, CURLOPT_CUSTOMREQUEST, request.method.rawValue))
    }
    for field in request.fields {
      // A line more would be a field more.
      guard !field.value.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 }),
        let longer = curl_slist_append(sentFields, "\(field.name): \(field.value)")
      else { return false }
      sentFields = longer
    }
    codes.append(fp_set_fields(call, sentFields))
    return codes.allSatisfy { $0 == CURLE_OK }
  }

  /// What became of the call, once it is over.
  func outcome(
    _ call: UnsafeMutableRawPointer, _ code: CURLcode
  ) -> Result<OutboundAnswer, OutboundFault> {
    guard code != CURLE_OK else {
      let status = fp_number(call, CURLINFO_RESPONSE_CODE)
      return .success(OutboundAnswer(status: status, fields: fields, body: body))
    }
    if isTooLong { return .failure(.unanswered("the answer is too long")) }
    return .failure(Self.fault(code, isSent: fp_number(call, CURLINFO_REQUEST_SIZE) > 0))
  }

  private static func fault(_ code: CURLcode, isSent: Bool) -> OutboundFault {
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST: .notSent("the name is not known")
    case CURLE_COULDNT_CONNECT: .notSent("nobody listens there")
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE:
      .notSent("no trusted TLS connection")
    case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL: .notSent("the address is malformed")
    case CURLE_ABORTED_BY_CALLBACK: .unanswered("stopped")
    case CURLE_OPERATION_TIMEDOUT: .late(isSent: isSent)
    default: .unanswered("the connection broke (\(code.rawValue))")
    }
  }

  // MARK: - What libcurl calls

  private static let takeField: fp_receiver = { bytes, size, count, receiver in
    guard let (transfer, bytes) = OutboundTransfer.received(bytes, size * count, receiver) else {
      return 0
    }
    transfer.take(field: String(decoding: bytes, as: UTF8.self))
    return bytes.count
  }

  private static let takeBody: fp_receiver = { bytes, size, count, receiver in
    guard let (transfer, bytes) = OutboundTransfer.received(bytes, size * count, receiver) else {
      return 0
    }
    transfer.isTooLong = transfer.body.count + bytes.count > OutboundCalls.answerByteLimit
    if transfer.isTooLong { return 0 }
    transfer.body.append(contentsOf: bytes)
    return bytes.count
  }

  private static func received(
    _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ receiver: UnsafeMutableRawPointer?
  ) -> (OutboundTransfer, UnsafeRawBufferPointer)? {
    guard let receiver else { return nil }
    let transfer = Unmanaged<OutboundTransfer>.fromOpaque(receiver).takeUnretainedValue()
    return (transfer, UnsafeRawBufferPointer(start: bytes, count: count))
  }

  private func take(field line: String) {
    // Another answer begins: the one before was only to go on.
    if line.hasPrefix("HTTP/") { fields = [:] }
    guard let colon = line.firstIndex(of: ":") else { return }
    let value = line[line.index(after: colon)...]
    fields[line[..<colon].lowercased()] = value.trimmed
  }
}

extension Substring {
  /// Without the white space around it.
  fileprivate var trimmed: String {
    var text = self
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
