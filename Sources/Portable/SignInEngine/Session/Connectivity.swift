import SignInModel

/// Whether the server can be reached, which only its own answers show (L-25).
struct Connectivity: Equatable, Sendable {
  private var lastHeard: Instant?
  /// The last answer of the server before it became unreachable; `nil` while it can be reached.
  private(set) var offlineSince: Instant?

  mutating func learn(_ answer: Answer, at now: Instant) {
    switch answer {
    case .received:
      lastHeard = now
      offlineSince = nil
    case .noNetwork, .unreachable, .timedOut:
      offlineSince = offlineSince ?? lastHeard ?? now
    case .onDevice: break
    }
  }
}
