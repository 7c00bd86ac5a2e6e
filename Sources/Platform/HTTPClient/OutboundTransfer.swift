internal import CCurl
internal import Glibc

/// One call in progress and its incoming answer.
///
/// `@unchecked Sendable`: it is passed to the thread that runs calls, and only that thread uses it.
final class OutboundTransfer: @unchecked Sendable {
  typealias Completion = @Sendable (Result<OutboundAnswer, OutboundFault>) -> Void

  let deadline: ContinuousClock.Instant
  /// The request or the mail to send.
  enum Load: Sendable {
    case request(OutboundRequest)
    case mail(OutboundMail)
  }

  private let load: Load
  private let completion: Completion
  let addresses: PeerAddresses
  /// Whether a connection was refused because of the server's address.
  var isAddressRefused = false
  private var sentFields: UnsafeMutablePointer<curl_slist>?
  private var fields: [String: String] = [:]
  private var body: [UInt8] = []
  private var isTooLong = false
  /// The number of bytes of a mail that libcurl has read.
  private var sentCount = 0

  /// Further header fields of an answer, and fields with longer names, are ignored.
  private static let fieldLimit = 256
  private static let fieldNameLimit = 256

  init(
    _ request: OutboundRequest, addresses: PeerAddresses, _ completion: @escaping Completion
  ) {
    load = .request(request)
    self.addresses = addresses
    self.completion = completion
    deadline = .now + .milliseconds(request.deadlineMilliseconds)
  }

  init(_ mail: OutboundMail, _ completion: @escaping Completion) {
    load = .mail(mail)
    addresses = .all
    self.completion = completion
    deadline = .now + .milliseconds(mail.deadlineMilliseconds)
  }

  deinit { curl_slist_free_all(sentFields) }

  func fail(_ fault: OutboundFault) { completion(.failure(fault)) }

  func complete(_ outcome: Result<OutboundAnswer, OutboundFault>) { completion(outcome) }

  /// Prepares libcurl's call.
  ///
  /// The result says whether libcurl accepts the request. The transfer must outlive `call`.
  func prepare(_ call: UnsafeMutableRawPointer) -> Bool {
    var codes = [
      // Signals would affect the whole process.
      fp_set_number(call, CURLOPT_NOSIGNAL, 1),
      // Without this option, ending a call would wait for a name server that does not answer. The
      // thread of this loop would wait, and with it every other call.
      fp_set_number(call, CURLOPT_QUICK_EXIT, 1),
      fp_set_receivers(
        call, Self.takeField, Self.takeBody, Unmanaged.passUnretained(self).toOpaque()
      ),
    ]
    // OpenSSL uses the same variable, so that all connections of this server have the same
    // authorities.
    if let authorities = getenv("SSL_CERT_FILE") {
      codes.append(fp_set_text(call, CURLOPT_CAINFO, authorities))
    }
    codes.append(
      fp_set_text(call, CURLOPT_NOPROXY, addresses.usesProxy ? Self.hostsWithoutProxy : "*"))
    if !addresses.isUnlimited {
      codes.append(
        fp_set_opener(call, PeerAddresses.open, Unmanaged.passUnretained(self).toOpaque()))
    }
    guard codes.allSatisfy({ $0 == CURLE_OK }) else { return false }
    switch load {
    case .request(let request): return prepare(call, for: request)
    case .mail(let mail): return prepare(call, for: mail)
    }
  }

  /// The hosts of this machine and those in the environment.
  ///
  /// A proxy would send a call to this machine elsewhere, in clear text.
  private static var hostsWithoutProxy: String {
    let loopback = "localhost,127.0.0.1,127.0.0.0/8,::1"
    guard let named = getenv("no_proxy") ?? getenv("NO_PROXY") else { return loopback }
    let text = String(cString: named)
    return text == "*" ? text : loopback + "," + text
  }

  private func prepare(_ call: UnsafeMutableRawPointer, for request: OutboundRequest) -> Bool {
    var codes = [
      fp_set_text(call, CURLOPT_URL, request.url),
      fp_set_text(call, CURLOPT_PROTOCOLS_STR, "http,https"),
      fp_set_text(call, CURLOPT_USERAGENT, "Fieldpass"),
    ]
    if request.method == .post || !request.body.isEmpty {
      codes.append(fp_set_body(call, request.body, request.body.count))
    }
    if request.method != .get {
      codes.append(fp_set_text(call, CURLOPT_CUSTOMREQUEST, request.method.rawValue))
    }
    for field in request.fields {
      // A line break would begin another field.
      guard !field.value.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 }),
        let longer = curl_slist_append(sentFields, "\(field.name): \(field.value)")
      else { return false }
      sentFields = longer
    }
    codes.append(fp_set_fields(call, sentFields))
    return codes.allSatisfy { $0 == CURLE_OK }
  }

  private func prepare(_ call: UnsafeMutableRawPointer, for mail: OutboundMail) -> Bool {
    guard mail.isWellFormed else { return false }
    var codes = [
      fp_set_text(call, CURLOPT_URL, mail.url),
      fp_set_text(call, CURLOPT_PROTOCOLS_STR, "smtp,smtps"),
      fp_set_text(call, CURLOPT_MAIL_FROM, "<\(mail.from)>"),
      fp_set_number(call, CURLOPT_UPLOAD, 1),
      // A server may close a reused connection, and a mail is never sent twice.
      fp_set_number(call, CURLOPT_FRESH_CONNECT, 1),
      fp_set_number(call, CURLOPT_FORBID_REUSE, 1),
      fp_set_sender(call, Self.giveBody, Unmanaged.passUnretained(self).toOpaque()),
    ]
    if mail.protection == .startTLS {
      codes.append(fp_set_number(call, CURLOPT_USE_SSL, Int(CURLUSESSL_ALL.rawValue)))
    }
    if let account = mail.account {
      codes.append(fp_set_text(call, CURLOPT_USERNAME, account.user))
      codes.append(fp_set_text(call, CURLOPT_PASSWORD, account.password))
    }
    guard let recipients = curl_slist_append(nil, "<\(mail.to)>") else { return false }
    sentFields = recipients
    codes.append(fp_set_recipients(call, recipients))
    return codes.allSatisfy { $0 == CURLE_OK }
  }

  /// The result of the finished call.
  func outcome(
    _ call: UnsafeMutableRawPointer, _ code: CURLcode
  ) -> Result<OutboundAnswer, OutboundFault> {
    guard code != CURLE_OK else {
      let status = fp_number(call, CURLINFO_RESPONSE_CODE)
      return .success(OutboundAnswer(status: status, fields: fields, body: body))
    }
    if isTooLong { return .failure(.unanswered("the answer is too long")) }
    if isAddressRefused, code == CURLE_COULDNT_CONNECT {
      return .failure(.notSent(addresses.refusal))
    }
    switch load {
    case .request:
      return .failure(Self.fault(code, isSent: fp_number(call, CURLINFO_REQUEST_SIZE) > 0))
    case .mail(let mail):
      return outcome(
        of: mail, code, lastReply: Int(fp_number(call, CURLINFO_RESPONSE_CODE))
      )
    }
  }

  /// A refusal by the server is an answer with its reply.
  ///
  /// The server has the mail after it said so, and possibly after it got the last line.
  private func outcome(
    of mail: OutboundMail, _ code: CURLcode, lastReply: Int
  ) -> Result<OutboundAnswer, OutboundFault> {
    if code == CURLE_LOGIN_DENIED {
      let reply = lastReply >= 400 ? lastReply : 535
      return .success(OutboundAnswer(status: reply, fields: [:], body: []))
    }
    if code == CURLE_USE_SSL_FAILED { return .failure(.notSent("no trusted TLS connection")) }
    if lastReply >= 400 {
      return .success(OutboundAnswer(status: lastReply, fields: [:], body: []))
    }
    let isSent = sentCount >= mail.content.count
    switch Self.fault(code, isSent: isSent) {
    case .unanswered(let why): return .failure(isSent ? .unanswered(why) : .notSent(why))
    case .notSent(let why): return .failure(.notSent(why))
    case .late: return .failure(.late(isSent: isSent))
    }
  }

  private static func fault(_ code: CURLcode, isSent: Bool) -> OutboundFault {
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST: .notSent("the name was not found")
    case CURLE_COULDNT_CONNECT: .notSent("the connection was refused")
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE:
      .notSent("no trusted TLS connection")
    case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL: .notSent("the address is malformed")
    case CURLE_ABORTED_BY_CALLBACK: .unanswered("stopped")
    case CURLE_OPERATION_TIMEDOUT: .late(isSent: isSent)
    default: .unanswered("the connection broke (\(code.rawValue))")
    }
  }

  // MARK: - Callbacks of libcurl

  private static let takeField: fp_receiver = { bytes, size, count, receiver in
    guard let (transfer, bytes) = OutboundTransfer.received(bytes, size * count, receiver) else {
      return 0
    }
    transfer.take(field: bytes)
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

  private static let giveBody: fp_receiver = { room, size, count, giver in
    guard let giver, let room, size * count > 0 else { return 0 }
    let transfer = Unmanaged<OutboundTransfer>.fromOpaque(giver).takeUnretainedValue()
    guard case .mail(let mail) = transfer.load else { return 0 }
    let part = mail.content[transfer.sentCount...].prefix(size * count)
    part.withUnsafeBytes {
      UnsafeMutableRawBufferPointer(start: room, count: $0.count).copyMemory(from: $0)
    }
    transfer.sentCount += part.count
    return part.count
  }

  private static func received(
    _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ receiver: UnsafeMutableRawPointer?
  ) -> (OutboundTransfer, UnsafeRawBufferPointer)? {
    guard let receiver else { return nil }
    let transfer = Unmanaged<OutboundTransfer>.fromOpaque(receiver).takeUnretainedValue()
    return (transfer, UnsafeRawBufferPointer(start: bytes, count: count))
  }

  private func take(field line: UnsafeRawBufferPointer) {
    // The reply of a mail server is read as its number.
    guard case .request = load else { return }
    // Another answer begins, and the previous one was an interim answer.
    if line.starts(with: "HTTP/".utf8) { fields = [:] }
    guard fields.count < Self.fieldLimit,
      let colon = line.firstIndex(of: UInt8(ascii: ":")), colon <= Self.fieldNameLimit,
      line[..<colon].allSatisfy({ $0 < 0x80 })
    else { return }
    let name = line[..<colon].map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || ($0 >= 0x09 && $0 <= 0x0D) }
    var value = line[(colon + 1)...].drop(while: isSpace)
    while let last = value.last, isSpace(last) { value.removeLast() }
    fields[String(decoding: name, as: UTF8.self)] = String(decoding: value, as: UTF8.self)
  }
}
