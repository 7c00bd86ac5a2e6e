import HTTPClient
import SignInModel
import SignInService
import SignInTesting
import Testing

@testable import TextMessengers

@Suite("Causes of messenger faults")
struct FaultCauseTests {
  private static let number = "+4790000001"

  private func message(to text: String, _ kind: OutboxMessage.Kind) throws -> TextMessage {
    TextMessage(
      id: "m", to: try Recipient(parsing: text), kind: kind, text: Secret("123456 is your code"),
      createdAt: Instant(seconds: 0), expiresAt: Instant(seconds: 300)
    )
  }

  private func fault(
    _ kind: String, _ texts: [String: String], to recipient: String = FaultCauseTests.number,
    _ message: OutboxMessage.Kind = .code
  ) async throws -> TextMessengerFault? {
    var settings = Configuration.Messenger(name: "m", kind: kind)
    settings.texts = texts
    settings.numbers = ["port": 1]
    let order = MessengerSetup(
      settings, secret: kind == "smtp" ? nil : Secret("s3cr3t"), issuer: nil,
      calls: OutboundCalls(), clock: SimulatedClock(Instant(seconds: 0)), report: { _ in }
    )
    let messenger = try #require(try MessengerKinds.make(order))
    let text = try self.message(to: recipient, message)
    do throws(TextMessengerFault) {
      _ = try await messenger.send(text)
      return nil
    } catch {
      return error
    }
  }

  @Test(
    "A fault says whether the connection was refused or the name was not found",
    arguments: [
      ("http://127.0.0.1:1/", "the connection was refused"),
      ("https://nowhere.invalid/", "the name was not found"),
    ])
  func webhook(url: String, why: String) async throws {
    let fault = try await fault("webhook", ["url": url])

    #expect(fault == .retry(afterSeconds: 1, because: why))
    let text = "\(fault.map(\.description) ?? "")"
    #expect(text == "not sent, try again after 1 s: \(why)")
    #expect(!text.contains(Self.number) && !text.contains("s3cr3t") && !text.contains(url))
  }

  @Test("A mail server that refuses the connection is named, and no address is")
  func mail() async throws {
    let fault = try await fault(
      "smtp", ["host": "127.0.0.1", "from": "no-reply@example.com"], to: "nina@example.com",
      .notice)

    #expect(fault == .retry(afterSeconds: 5, because: "the connection was refused"))
  }

  @Test("Every fault describes its cause")
  func descriptions() {
    let faults: [TextMessengerFault] = [
      .retry(afterSeconds: 9, because: "cause"), .unclear("cause"), .otherProvider("cause"),
      .never("cause"),
    ]
    #expect(faults.allSatisfy { $0.description.hasSuffix(": cause") })
    #expect(Set(faults.map(\.description)).count == faults.count)
    #expect(TextMessengerFault.retry(afterSeconds: 1).description.hasSuffix(": it asked to wait"))
  }
}
