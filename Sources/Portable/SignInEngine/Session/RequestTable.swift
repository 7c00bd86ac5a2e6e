/// The running API requests of a signed-in person that belong to no page, each with its purpose.
struct RequestTable: Equatable, Sendable {
  enum Purpose: Equatable, Sendable {
    /// Ends a session of this person that could not be read.
    case endUnreadableSession
    /// Answers an account update, and perhaps accepts a proposal.
    case reply(isAccepting: Bool)
    /// Belongs to the embedding app, which waits for the answer with this ticket.
    case app(ticket: Int64)
  }

  private struct Entry: Equatable, Sendable {
    let id: RequestID
    let purpose: Purpose
  }

  private var entries: [Entry] = []

  var isEndingUnreadableSession: Bool {
    entries.contains { $0.purpose == .endUnreadableSession }
  }

  var isReplying: Bool {
    entries.contains { if case .reply = $0.purpose { true } else { false } }
  }

  mutating func add(_ id: RequestID, for purpose: Purpose) {
    entries.append(Entry(id: id, purpose: purpose))
  }

  /// Removes an answered request; returns `nil` if it belongs to a page.
  mutating func take(_ id: RequestID) -> Purpose? {
    entries.firstIndex { $0.id == id }.map { entries.remove(at: $0).purpose }
  }
}
