import Cryptography
import HTTPClient
import SignInModel
import SignInService

/// Hands notices, and codes that prove a new address, to a mail server (RFC 5321), over TLS unless
/// the server is on this machine.
///
/// Codes to sign in go only to phones. A mail server does not recognise a repeated message, but
/// each try of a message has the same Message-ID, by which mailboxes recognise it.
struct SMTPMessenger: ConfiguredMessenger {
  static let kind = MessengerKind(
    Configuration.Messenger.mail,
    keys: [
      .required("host", .hostName, "The mail server"),
      .required("port", .port, "The port of the mail server, such as 587 or 465"),
      .required("from", .line, "The sender's address"),
      .optional("user", .line, "The account at the mail server; needs a password"),
      .optional(
        "tls",
        .flagOrChoice(OutboundMail.Protection.allCases.map(\.rawValue)),
        "Protection of the connection: true means implicit on port 465 and starttls on others;"
          + " none is allowed only on this machine"),
    ],
    secret: "password", isSecretRequired: false
  )

  /// After this time the call fails, and the message can be tried again.
  static let deadlineMilliseconds: Int64 = 5000
  static let implicitTLSPort: UInt16 = 465

  let name: String
  let channel = OutboxMessage.Channel.email
  private let host: String
  private let port: UInt16
  private let protection: OutboundMail.Protection
  private let account: (user: String, password: Secret)?
  private let from: EmailAddress
  private let calls: OutboundCalls

  init(_ order: MessengerSetup) throws(MessengerMistake) {
    name = order.name
    calls = order.calls
    host = try order.text("host")
    port = UInt16(clamping: order.settings.numbers["port"] ?? 587)
    protection = try Self.protection(order, host: host, port: port)
    do throws(Malformed) { from = try EmailAddress(parsing: try Self.sender(order)) } catch {
      throw MessengerMistake(
        key: "from", problem: "is not an e-mail address", remedy: "write it as login@example.com"
      )
    }
    guard MailMessage.isPlain(from) else {
      throw MessengerMistake(
        key: "from", problem: "has characters that need quotes", remedy: "choose a plain address"
      )
    }
    switch (order.texts["user"], order.hasSecret) {
    case (nil, false): account = nil
    case (let user?, true):
      account = (user, try order.secret())
    case (nil, true):
      throw MessengerMistake(
        key: "user", problem: "is required with a password", remedy: "write it"
      )
    case (.some, false):
      throw MessengerMistake(
        key: "password_file", problem: "is required with a user", remedy: "name the file"
      )
    }
  }

  private static func sender(_ order: MessengerSetup) throws(Malformed) -> String {
    guard let text = order.texts["from"] else { throw Malformed(.emailAddress) }
    return text
  }

  private static func protection(
    _ order: MessengerSetup, host: String, port: UInt16
  ) throws(MessengerMistake) -> OutboundMail.Protection {
    let isLocal = isLoopback(host)
    let encrypted: OutboundMail.Protection = port == implicitTLSPort ? .implicit : .startTLS
    let chosen: OutboundMail.Protection
    if let word = order.texts["tls"].flatMap(OutboundMail.Protection.init(rawValue:)) {
      chosen = word
    } else if let flag = order.settings.flags["tls"] {
      chosen = flag ? encrypted : .none
    } else {
      chosen = isLocal ? .none : encrypted
    }
    guard chosen != .none || isLocal else {
      throw MessengerMistake(
        key: "tls", problem: "sends mail and password in the clear to another machine",
        remedy: "write \"starttls\" or \"implicit\""
      )
    }
    return chosen
  }

  private static func isLoopback(_ host: String) -> Bool {
    if host == "localhost" || host.hasSuffix(".localhost") || host == "::1" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  func send(_ message: TextMessage) async throws(TextMessengerFault) -> Acceptance {
    guard case .email(let recipient) = message.to else {
      throw .never("only messages to an address go by e-mail")
    }
    guard MailMessage.isPlain(recipient) else { throw .never("the address needs quotes") }
    let mailMessage = MailMessage(message, from: from, to: recipient)
    let mail = OutboundMail(
      host: host, port: port, protection: protection,
      account: account.map {
        OutboundMail.Account(user: $0.user, password: $0.password.revealed)
      }, from: from.text,
      to: recipient.text, content: mailMessage.bytes,
      deadlineMilliseconds: Self.deadlineMilliseconds
    )
    let answer: OutboundAnswer
    do throws(OutboundFault) {
      answer = try await calls.send(mail)
    } catch {
      switch error {
      case .notSent(let why): throw .retry(afterSeconds: 5, because: why)
      case .late(isSent: false): throw .retry(afterSeconds: 5, because: OutboundFault.timedOut)
      case .late(isSent: true): throw .unclear("no answer in time")
      case .unanswered(let why): throw .unclear(why)
      }
    }
    guard (200..<300).contains(answer.status) else { throw Self.fault(answer.status) }
    return Acceptance(reference: mailMessage.identifier)
  }

  /// RFC 5321, section 4.2.1: after 4xx a later try may succeed, after 5xx it will not.
  private static func fault(_ reply: Int) -> TextMessengerFault {
    switch reply {
    // The server refuses our account or our sender address, not the address of the recipient.
    case 530, 534, 535, 538: .otherProvider("answered \(reply)")
    case 400..<500: .retry(afterSeconds: 60, because: "answered \(reply)")
    default: .never("answered \(reply)")
    }
  }
}

/// A notice as an e-mail (RFC 5322): plain text in UTF-8, marked so that programs do not reply.
struct MailMessage {
  /// Some servers do not accept longer lines (RFC 2045, section 6.8).
  private static let encodedLineLength = 76
  /// With these bytes as Base64, an encoded word has at most 75 characters (RFC 2047, section 2).
  private static let encodedWordBytes = 42

  /// The Message-ID.
  ///
  /// It is the same for each try.
  let identifier: String
  let bytes: [UInt8]

  init(_ message: TextMessage, from: EmailAddress, to: EmailAddress) {
    let text = message.text.revealed
    let subject = text.prefix { !$0.isNewline }
    let body = text.dropFirst(subject.count).drop { $0.isNewline }
    let domain = from.text.split(separator: "@").last ?? "localhost"
    identifier = "<\(message.id)@\(domain)>"
    let lines =
      [
        "Date: \(CalendarTime(message.createdAt).httpDate.dropLast(3))+0000",
        "From: Fieldpass <\(from.text)>",
        "To: <\(to.text)>",
        "Subject: \(Self.encoded(String(subject)))",
        "Message-ID: \(identifier)",
        "Auto-Submitted: auto-generated",
        "MIME-Version: 1.0",
        "Content-Type: text/plain; charset=utf-8",
        "Content-Transfer-Encoding: base64",
        "",
      ] + Self.encodedLines(Array((body.isEmpty ? subject : body).utf8 + [10]))
    bytes = lines.flatMap { Array($0.utf8) + [13, 10] }
  }

  /// Whether the address can be written in angle brackets unchanged.
  ///
  /// Any other address needs quotes, or a server that accepts UTF-8 in addresses.
  static func isPlain(_ address: EmailAddress) -> Bool {
    address.text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "!#$%&'*+-/=?^_`{|}~.@".utf8.contains(byte)
      }
    }
  }

  /// Encodes a header text (RFC 2047).
  ///
  /// Each encoded word has whole characters and its own line.
  private static func encoded(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { (0x20..<0x7F).contains($0) } && !text.contains("=?")
    if isPlain, text.utf8.count <= encodedLineLength { return text }
    var words: [String] = []
    var word = ""
    for character in text {
      if word.utf8.count + character.utf8.count > encodedWordBytes, !word.isEmpty {
        words.append(word)
        word = ""
      }
      word.append(character)
    }
    words.append(word)
    return words.map { "=?utf-8?B?\(Array($0.utf8).base64)?=" }
      .joined(separator: "\r\n ")
  }

  private static func encodedLines(_ bytes: [UInt8]) -> [String] {
    var rest = bytes.base64[...]
    var lines: [String] = []
    while !rest.isEmpty {
      lines.append(String(rest.prefix(encodedLineLength)))
      rest = rest.dropFirst(encodedLineLength)
    }
    return lines
  }
}
