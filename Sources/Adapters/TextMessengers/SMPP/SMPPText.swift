import SignInModel
import SignInRules
import SignInService

/// Encodes a message for SMPP.
enum SMPPText {
  /// The default alphabet of a gateway.
  enum Alphabet: String, CaseIterable, Sendable {
    case gsm7 = "gsm7"
    /// ISO 8859-1, with `data_coding` 3.
    case latin1 = "latin1"
  }

  static let shortLimit = 254

  static func submission(
    of message: TextMessage, from source: String, alphabet: Alphabet, lifeSeconds: Int64
  ) -> [UInt8] {
    let (coding, text) = encoded(message.text.revealed, alphabet)
    let isNumber = source.allSatisfy { $0.isASCII && ($0.isNumber || $0 == "+") }
    var body = SMPPBody()
    body.text("")
    // The type of number is 5 for an alphanumeric sender. A phone number has type 1 and numbering
    // plan 1.
    body.raw(isNumber ? [1, 1] : [5, 0])
    body.text(isNumber ? String(source.drop { $0 == "+" }) : source)
    body.raw([1, 1])
    body.text(String(message.to.text.dropFirst()))
    body.raw([0, 0, 0])
    body.text("")
    body.text(validity(lifeSeconds))
    // Request a receipt for success and failure, do not replace an earlier message, and use no
    // predefined text.
    body.raw([1, 0, coding, 0])
    if text.count <= shortLimit, TextSegments(of: message.text.revealed).count == 1 {
      body.byte(UInt8(text.count))
      body.raw(text)
    } else {
      // The gateway splits the text into parts.
      body.byte(0)
      body.option(0x0424, text)
    }
    return body.bytes
  }

  /// The `data_coding` value and the encoded bytes.
  private static func encoded(_ text: String, _ alphabet: Alphabet) -> (UInt8, [UInt8]) {
    switch alphabet {
    case .gsm7: if let septets = GSMAlphabet.septets(of: text) { return (0, septets) }
    case .latin1:
      let scalars = text.unicodeScalars
      if scalars.allSatisfy({ $0.value < 0x100 }) { return (3, scalars.map { UInt8($0.value) }) }
    }
    return (8, text.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] })
  }

  /// A relative validity period of less than a day: `000000000500000R` means five minutes (SMPP
  /// 3.4, section 7.1.1).
  private static func validity(_ seconds: Int64) -> String {
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let seconds = min(max(seconds, 1), 86_399)
    return "000000\(two(seconds / 3600))\(two(seconds / 60 % 60))\(two(seconds % 60))000R"
  }

  static func outcome(_ state: String) -> OutboxMessage.Receipt {
    switch state {
    case "DELIVRD": .delivered
    case "EXPIRED", "DELETED", "UNDELIV", "REJECTD": .undelivered
    default: .delayed
    }
  }
}
