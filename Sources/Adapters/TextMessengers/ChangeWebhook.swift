public import HTTPClient
public import JSONText
public import SignInModel
public import SignInService

/// Posts the changes by people to an address of the operator.
///
/// The signature is the same as that of the webhook for messages.
///
/// Only a 2xx status means that the receiver accepted the changes. Redirects are not followed.
public struct ChangeWebhook: ChangeReceiver {
  /// From the start of the call to the last byte of the answer, in milliseconds.
  public static let deadlineMilliseconds: Int64 = 10_000

  public let name: String
  private let url: String
  private let signature: HookSignature
  private let calls: OutboundCalls
  private let clock: any Clock

  public init(
    name: String, url: String, secret: Secret, calls: OutboundCalls, clock: any Clock
  ) {
    self.name = name
    self.url = url
    self.calls = calls
    self.clock = clock
    signature = HookSignature(key: Array(secret.revealed.utf8))
  }

  public func take(_ changes: JSON) async throws(ChangeReceiverFault) {
    let body = changes.utf8
    let request = OutboundRequest(
      .post, url,
      fields: [
        ("Content-Type", "application/json"), ("User-Agent", "Fieldpass"),
        (HookSignature.field, signature.value(for: body, at: clock.now())),
      ],
      body: body, deadlineMilliseconds: Self.deadlineMilliseconds
    )
    let answer: OutboundAnswer
    do throws(OutboundFault) { answer = try await calls.send(request) } catch {
      switch error {
      case .notSent(let why), .unanswered(let why): throw ChangeReceiverFault(why)
      case .late: throw ChangeReceiverFault("no answer in time")
      }
    }
    guard (200..<300).contains(answer.status) else {
      throw ChangeReceiverFault("answered \(answer.status)")
    }
  }
}
