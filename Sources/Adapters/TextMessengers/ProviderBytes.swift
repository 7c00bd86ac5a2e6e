package import SignInModel
package import SignInService
import SignInWire

/// Feeds bytes of a provider to the parsers, for tests with hostile bytes.
package enum ProviderBytes {
  /// The provider that sends the receipt.
  package enum Sender: CaseIterable, Sendable {
    case webhook, eventGrid, twilio
  }

  private static let key = Array("a key for trials".utf8)
  private static let url = "https://login.example.com/messages/receipts/x"

  /// Feeds the bytes of a gateway to a bound session.
  ///
  /// Returns the number of units it understood.
  package static func converse(_ bytes: [UInt8], at now: Instant) -> Int {
    var session = SMPPSession(
      .init(systemID: "x", password: Secret("x"), source: "+15550100000", alphabet: .gsm7), at: now
    )
    _ = session.handle(.ticked, at: now)
    _ = session.handle(.connected, at: now)
    let bound = SMPPUnit(
      command: SMPPUnit.Command.bindTransceiver | SMPPUnit.Command.answer, sequence: 1
    )
    _ = session.handle(.received(bound), at: now)
    var rest = bytes[...]
    var count = 0
    do throws(SMPPMalformed) {
      while let unit = try SMPPUnit.take(from: &rest) {
        _ = session.handle(.received(unit), at: now)
        count += 1
      }
    } catch {
      _ = session.handle(.lost, at: now)
    }
    return count
  }

  /// Reads a body as a receipt.
  ///
  /// If `isProved`, the receipt has the proof that the provider would send.
  package static func receipt(
    _ body: [UInt8], from sender: Sender, isProved: Bool, at now: Instant
  ) -> ReceiptReading {
    let signature = HookSignature(key: key)
    let grid = EventGridReceipts(name: "x", key: key)
    let twilio = TwilioReceipts(token: key)
    var proof = String(decoding: body.prefix(64), as: UTF8.self)
    var query = proof
    if isProved {
      switch sender {
      case .webhook: proof = signature.value(for: body, at: now)
      case .eventGrid: query = "key=\(grid.addressKey)"
      case .twilio: proof = twilio.proof(of: body, url: url) ?? ""
      }
    }
    let shown = proof
    let post = ReceiptPost(url: url, query: query, body: body, receivedAt: now) { _ in [shown] }
    switch sender {
    case .webhook: return HookReceipts(signature: signature).read(post)
    case .eventGrid: return grid.read(post)
    case .twilio: return twilio.read(post)
    }
  }
}

extension TwilioReceipts {
  fileprivate func proof(of body: [UInt8], url: String) -> String? {
    do throws(Form.Fault) { return signature(url: url, try Form(parsing: body)) } catch {
      return nil
    }
  }
}
