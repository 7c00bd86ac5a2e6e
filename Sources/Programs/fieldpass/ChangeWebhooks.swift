import HTTPClient
import SignInModel
import SignInService
import TextMessengers

/// The change webhooks of a configuration, and the HTTP client for their calls.
struct ChangeWebhooks: Sendable {
  let receivers: [ChangeWebhook]
  let calls: OutboundCalls
  let counts: ChangeSendingCounts

  /// Reads the secrets of the webhooks.
  ///
  /// Throws one fault with the mistakes of all of them.
  init(_ configuration: Configuration, clock: any Clock) throws(StartFault) {
    let calls = OutboundCalls(callLimit: ChangeSendingLimits.receivers)
    var receivers: [ChangeWebhook] = []
    var complaints: [(what: String, hint: String)] = []
    for webhook in configuration.changeWebhooks {
      do throws(StartFault) {
        receivers.append(
          ChangeWebhook(
            name: webhook.name, url: webhook.url, secret: try Self.secret(of: webhook),
            calls: calls,
            clock: clock))
      } catch {
        complaints += error.complaints
      }
    }
    if !complaints.isEmpty { throw StartFault(complaints) }
    self.receivers = receivers
    self.calls = calls
    counts = ChangeSendingCounts(receivers.map(\.name), clock: clock)
  }

  private static func secret(
    of webhook: Configuration.ChangeWebhook
  ) throws(StartFault) -> Secret {
    let owner = "change webhook `\(webhook.name)`"
    let secret = try webhook.secret.read(for: owner)
    let limits = ServiceAccount.secretByteLimits
    guard limits.contains(secret.revealed.utf8.count) else {
      throw StartFault(
        "\(owner): its secret has \(secret.revealed.utf8.count) bytes",
        hint: "write \(limits.lowerBound) to \(limits.upperBound) random characters, such as "
          + "the output of `openssl rand -base64 32`")
    }
    return secret
  }
}
