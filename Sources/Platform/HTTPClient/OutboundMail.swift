/// One message to another organization's mail server (RFC 5321).
public struct OutboundMail: Sendable {
  /// How the connection is protected.
  public enum Protection: String, CaseIterable, Sendable {
    /// The connection begins in plain text and must change to TLS before any command (RFC 3207).
    case startTLS = "starttls"
    /// TLS from the first byte (RFC 8314).
    case implicit
    case none
  }

  /// Printing it does not show the password.
  public struct Account: Sendable, CustomStringConvertible, CustomReflectable {
    public let user: String
    let password: String

    public init(user: String, password: String) {
      self.user = user
      self.password = password
    }

    public var description: String { user }
    public var customMirror: Mirror { Mirror(self, children: ["user": user]) }
  }

  public let host: String
  public let port: UInt16
  public let protection: Protection
  /// `nil` if the server requires no sign-in.
  public let account: Account?
  /// The envelope addresses, without angle brackets.
  public let from: String
  public let to: String
  /// Header and body.
  ///
  /// Lines end with CR LF.
  public let content: [UInt8]
  /// The longest time from the call to the server's last reply, for all steps together.
  public let deadlineMilliseconds: Int64

  public init(
    host: String, port: UInt16, protection: Protection, account: Account?, from: String,
    to: String, content: [UInt8], deadlineMilliseconds: Int64
  ) {
    self.host = host
    self.port = port
    self.protection = protection
    self.account = account
    self.from = from
    self.to = to
    self.content = content
    self.deadlineMilliseconds = deadlineMilliseconds
  }

  /// The URL for libcurl.
  ///
  /// An IPv6 address is in brackets.
  var url: String {
    let scheme = protection == .implicit ? "smtps" : "smtp"
    return "\(scheme)://\(host.contains(":") ? "[\(host)]" : host):\(port)"
  }

  /// Whether no part of the envelope could be read as another command.
  var isWellFormed: Bool {
    [from, to].allSatisfy { address in
      !address.isEmpty && address.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        && !address.contains("<") && !address.contains(">")
    }
  }
}
