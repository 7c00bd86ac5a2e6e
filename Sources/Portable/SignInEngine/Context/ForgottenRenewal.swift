/// A renewal that the app has forgotten, while its request may still reach the server.
///
/// Its claim is released only when the request has ended, with an answer or a time-out. Otherwise
/// another tab could renew twice before the request arrives, and its token would look like a stolen
/// one (L-10, L-22).
struct ForgottenRenewal: Equatable, Sendable {
  let request: RequestID
  /// Whether a session of this app claims the next renewal after this one.
  private var isClaimWaiting = false

  init(_ request: RequestID) { self.request = request }

  /// Removes a claim from the effects, until this renewal releases its own.
  ///
  /// A shell that waits for a claim of its own may not deliver the answer that releases it.
  mutating func delayClaim<Page>(in effects: [AppEffect<Page>]) -> [AppEffect<Page>] {
    effects.filter { effect in
      guard case .engine(.claimRenewal) = effect else { return true }
      isClaimWaiting = true
      return false
    }
  }

  /// What follows when the request has ended.
  var release: [Effect] {
    isClaimWaiting ? [.releaseRenewal, .claimRenewal] : [.releaseRenewal]
  }
}
