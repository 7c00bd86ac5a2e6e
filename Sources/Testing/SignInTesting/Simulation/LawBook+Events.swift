internal import SignInModel
internal import SignInService

// The events of the security log.
extension LawBook {
  /// Compares the linked events with those that decisions wrote, after all were linked.
  func checkLinked(_ events: [SecurityEvent]) {
    let written = Dictionary(grouping: writtenEvents.map(\.content), by: \.account)
    let linked = Dictionary(
      grouping: events.map(\.content).filter { !Self.logCodes.contains($0.code) }, by: \.account)
    let accounts = Set(written.keys).union(linked.keys)
    for account in accounts.sorted(by: { $0?.text ?? "" < $1?.text ?? "" }) {
      let (wanted, found) = (written[account] ?? [], linked[account] ?? [])
      // Decisions about no account have no order.
      let isSame =
        account == nil ? Self.counts(wanted) == Self.counts(found) : wanted == found
      expect(
        isSame, .eventsLinkedOnce,
        "\(wanted.count) events of \(account?.text ?? "no account"), \(found.count) linked")
    }
  }

  /// The events that are linked without a decision.
  private static let logCodes: Set<SecurityEvent.Code> = [.logCut, .logKeyed, .logEventsRefused]

  private static func counts(_ contents: [EventContent]) -> [String: Int] {
    contents.reduce(into: [:]) { $0["\($1)", default: 0] += 1 }
  }
}
