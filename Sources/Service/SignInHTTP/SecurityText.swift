import HTTPServer
import SignInModel
import SignInWire

/// `security.txt`: the contact for reports of vulnerabilities (RFC 9116).
struct SecurityText {
  /// A `mailto:` or `https:` address.
  let contact: String
  let issuer: String

  /// The days until the document expires.
  ///
  /// RFC 9116 (section 2.5.5) recommends less than a year. It is computed for each answer, so the
  /// document of a running server never expires.
  static let days: Int64 = 180

  func answer(_ request: HTTPRequest, at now: Instant) -> HTTPResponse {
    guard request.method == .get || request.method == .head else {
      return .refusedMethod(allowing: "GET, HEAD")
    }
    var response = HTTPResponse.text(text(on: CalendarDay(now)))
    response.fields.append(HTTPField("Cache-Control", HTTPResponse.publicCaching))
    return response
  }

  func text(on today: CalendarDay) -> String {
    """
    Contact: \(contact)
    Expires: \(today.adding(days: Self.days).text)T00:00:00Z
    Canonical: \(issuer)\(PageAddress.securityText)

    """
  }
}
