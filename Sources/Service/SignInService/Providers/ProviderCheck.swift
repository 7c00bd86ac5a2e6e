import SignInModel

/// One step of the check of a provider.
public struct ProviderCheckStep: Equatable, Sendable {
  /// What was checked, such as "metadata".
  public let subject: String
  /// Empty if the step passed.
  public let mistakes: [ProviderMistake]

  public init(_ subject: String, _ mistakes: [ProviderMistake] = []) {
    self.subject = subject
    self.mistakes = mistakes
  }
}

/// Checks a provider: its metadata, its keys, and whether it accepts this server's credential.
///
/// The credential is checked with an authorization code that the provider does not know. The
/// provider must refuse the code and not the client (RFC 6749, section 5.2).
public func checkProvider(
  _ provider: IdentityProvider, redirectURI: String, in directory: ProviderDirectory,
  randomness: any Randomness, clock: any Clock
) async -> [ProviderCheckStep] {
  let metadata: ProviderMetadata
  do throws(ProviderDirectory.Fault) { metadata = try await directory.metadata(of: provider) } catch
  {
    return [ProviderCheckStep("metadata", error.mistakes)]
  }
  var steps: [ProviderCheckStep] = []
  if metadata.keysURL != nil {
    steps.append(ProviderCheckStep("metadata"))
    do throws(ProviderDirectory.Fault) {
      _ = try await directory.keys(of: provider, metadata)
      steps.append(ProviderCheckStep("keys"))
    } catch {
      steps.append(ProviderCheckStep("keys", error.mistakes))
    }
  }
  let exchange = CodeExchange(
    provider: provider, metadata: metadata, redirectURI: redirectURI,
    code: Secret(Base64URL.encode(randomness.bytes(32))),
    verifier: Secret(Base64URL.encode(randomness.bytes(32))))
  let request = exchange.request(
    at: clock.now(), randomness: randomness,
    deadlineMilliseconds: ProviderDirectory.Limits.waitMilliseconds)
  do throws(ProviderCallFault) {
    let answer = try await directory.calls.send(request)
    steps.append(ProviderCheckStep("client authentication", mistakes(in: answer)))
  } catch {
    let mistake = ProviderMistake(
      problem: "the token endpoint does not answer: \(error.why)",
      remedy: "check the network and the address of the provider")
    steps.append(ProviderCheckStep("client authentication", [mistake]))
  }
  return steps
}

/// The mistakes that the answer to an unknown code shows.
private func mistakes(in answer: ProviderResponse) -> [ProviderMistake] {
  let code = TokenExchangeAnswer.errorCode(in: answer)
  switch code {
  case "invalid_grant"?: return []
  case "invalid_client"?, "unauthorized_client"?:
    return [
      ProviderMistake(
        problem: "the provider refused this client (\(code ?? ""))",
        remedy: "check `client_id`, its secret or key, and `client_authentication`")
    ]
  default:
    let shown = code.map { "`\($0)`" } ?? "\(answer.status)"
    return [
      ProviderMistake(
        problem: "the token endpoint answered \(shown) instead of `invalid_grant`",
        remedy: "check at the provider that the client may use authorization codes")
    ]
  }
}

extension ProviderDirectory.Fault {
  /// The fault as mistakes.
  public var mistakes: [ProviderMistake] {
    switch self {
    case .unavailable(let why):
      [
        ProviderMistake(
          problem: why,
          remedy: "check the network and the address of the provider; a private"
            + " address needs `allow_private_addresses`")
      ]
    case .misconfigured(let mistakes): mistakes
    }
  }
}
