/// Writes answers as bytes, with the server's own fields.
struct ResponseWriter {
  private var second = Int64.min
  private var date: [UInt8] = []

  mutating func setDate(unixSeconds: Int64) {
    guard unixSeconds != second else { return }
    second = unixSeconds
    date = Array("Date: \(HTTPDate.text(unixSeconds: unixSeconds))\r\n".utf8)
  }

  /// An answer with fields that would break its framing is replaced by an empty 500.
  ///
  /// A trap would let one request end the server, and a dropped field might be a protecting one.
  func write(
    _ response: HTTPResponse,
    to bytes: inout [UInt8],
    answersHead: Bool,
    closes: Bool
  ) {
    let isSound = (200...599).contains(response.status) && response.fields.allSatisfy(\.isSound)
    let response = isSound ? response : HTTPResponse(status: 500)
    bytes.append(contentsOf: "HTTP/1.1 \(response.status) ".utf8)
    bytes.append(contentsOf: Self.reason(response.status).utf8)
    bytes.append(contentsOf: "\r\n".utf8)
    bytes.append(contentsOf: date)
    for field in response.fields where !field.isServersOwn {
      bytes.append(contentsOf: field.name.utf8)
      bytes.append(contentsOf: ": ".utf8)
      bytes.append(contentsOf: field.value.utf8)
      bytes.append(contentsOf: "\r\n".utf8)
    }
    if closes { bytes.append(contentsOf: "Connection: close\r\n".utf8) }
    // RFC 9110 section 8.6: these statuses have neither a body nor a length.
    let isBodiless = response.status == 204 || response.status == 304
    if !isBodiless { bytes.append(contentsOf: "Content-Length: \(response.body.count)\r\n".utf8) }
    bytes.append(contentsOf: "\r\n".utf8)
    if !isBodiless, !answersHead { bytes.append(contentsOf: response.body) }
  }

  private static func reason(_ status: Int) -> String {
    reasons[status] ?? "Answer"
  }

  private static let reasons = [
    200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 206: "Partial Content",
    301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
    307: "Temporary Redirect", 308: "Permanent Redirect",
    400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
    405: "Method Not Allowed", 406: "Not Acceptable", 408: "Request Timeout", 409: "Conflict",
    410: "Gone", 411: "Length Required", 412: "Precondition Failed", 413: "Content Too Large",
    414: "URI Too Long", 415: "Unsupported Media Type", 417: "Expectation Failed",
    421: "Misdirected Request", 422: "Unprocessable Content", 423: "Locked",
    428: "Precondition Required", 429: "Too Many Requests",
    431: "Request Header Fields Too Large",
    500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway",
    503: "Service Unavailable", 504: "Gateway Timeout", 505: "HTTP Version Not Supported",
  ]
}

extension HTTPField {
  /// Whether the field can be written without breaking its line (RFC 9110 section 5.5).
  var isSound: Bool {
    !name.isEmpty && name.utf8.allSatisfy(ASCII.isToken)
      && !value.utf8.contains(where: ASCII.isControl)
  }

  var isServersOwn: Bool {
    isNamed("date") || isNamed("content-length") || isNamed("connection")
      || isNamed("transfer-encoding")
  }
}

/// The date format of HTTP (RFC 9110 section 5.6.7), without a locale or a time zone.
enum HTTPDate {
  private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  private static let lastSecondOfYear9999: Int64 = 253_402_300_799

  static func text(unixSeconds: Int64) -> String {
    let seconds = Int(min(max(unixSeconds, 0), lastSecondOfYear9999))
    let days = seconds / 86_400
    let (year, month, day) = civil(days: days)
    let clock = [seconds / 3600 % 24, seconds / 60 % 60, seconds % 60].map(twoDigits)
    return "\(weekdays[days % 7]), \(twoDigits(day)) \(months[month - 1]) "
      + "\(fourDigits(year)) \(clock[0]):\(clock[1]):\(clock[2]) GMT"
  }

  /// The date of a day number.
  ///
  /// Years begin in March here, so that the leap day is last.
  private static func civil(days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
  }

  private static func twoDigits(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }

  private static func fourDigits(_ number: Int) -> String {
    number < 1000 ? "0\(twoDigits(number / 10))\(number % 10)" : "\(number)"
  }
}
