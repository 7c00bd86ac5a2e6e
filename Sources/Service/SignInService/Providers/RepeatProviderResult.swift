import Cryptography
import SignInModel
import SignInWire

extension World {
  /// The answer to a repeated request of a browser, after the journey has ended (L-55).
  ///
  /// The first answer may have been lost, or the person loads its page again. While the provider is
  /// being asked, the repeated request waits. If the code was used, the app opens without a result:
  /// a second use of the code would end the session that it began.
  func repeated(
    _ journey: ProviderJourney, _ ending: ProviderJourney.Ending?, by cookie: Secret?
  ) async -> BrowserStep {
    guard let ending, clock.now() < journey.expiresAt else { return .page(.unknown) }
    guard journey.isOne(of: ending.browsers, cookie) else { return .page(.otherBrowser) }
    switch await outcome(of: journey, ending) {
    case .error(let error): return .redirect(journey.result(.error(error), in: self))
    case .code:
      let code = keyring.providerCode(of: journey.digest, endedAt: ending.at)
      switch await attemptProgress(of: code) {
      case .proved(_, let expiry)? where clock.now() < expiry:
        return .redirect(journey.result(.code(code), in: self))
      case .redeemed?: return .redirect(journey.redirectURI)
      case .awaitingCode?, .proved?, nil:
        return .redirect(journey.result(.error(.serverUnavailable), in: self))
      }
    }
  }

  private func outcome(
    of journey: ProviderJourney, _ ending: ProviderJourney.Ending
  ) async -> ProviderJourney.Outcome {
    if let outcome = ending.outcome { return outcome }
    do throws(Refusal) {
      return try await waitingForOthers { (_) throws(Refusal) in
        try await self.read {
          (transaction: any ProviderJourneyRecords) throws -> ProviderJourney.Outcome? in
          guard
            case .ended(let found)? = try transaction.providerJourney(digest: journey.digest)?
              .progress
          else { return .error(.serverUnavailable) }
          return found?.outcome
        }
      }
    } catch {
      return .error(.serverUnavailable)
    }
  }

  private func attemptProgress(of code: Secret) async -> SignInAttempt.Progress? {
    do throws(Refusal) {
      return try await read {
        (transaction: any SignInRecords) throws -> SignInAttempt.Progress? in
        try transaction.signInAttempt(codeDigest: TimeOrderedHandle.digest(of: code))?.progress
      }
    } catch {
      return nil
    }
  }
}

extension JourneyResult {
  /// What is stored of the result.
  var outcome: ProviderJourney.Outcome {
    switch self {
    case .code: .code
    case .error(let error): .error(error)
    }
  }
}
