internal import SignInEngine
internal import SignInFlow
internal import SignInModel
internal import SignInService
internal import SignInWire

/// What the laws about screens know about the ends of sessions.
struct SessionEnds {
  /// The sessions that a device asked the server to end, open or not.
  var requested: Set<SessionID> = []
  /// The sessions that had expired before they were ended in another way.
  var expired: Set<SessionID> = []
  /// The ends of sessions that the server has removed since.
  var removed: [SessionID: EndReason] = [:]
}

extension Simulation {
  /// The true end of a session, or `nil` if it is valid.
  func end(of id: SessionID) -> EndReason? {
    guard let session = server.store.tables.sessions[id] else {
      return ends.removed[id] ?? .expired
    }
    if let end = session.end { return end }
    let idle = session.lastUsedAt.adding(seconds: profile.idleSeconds)
    return clock.now() >= session.expiresAt || clock.now() >= idle ? .expired : nil
  }

  /// The true ends of a session and of the sessions that replaced it after changes of organization.
  ///
  /// The server answers for the last of them.
  func allEnds(of id: SessionID) -> Set<EndReason?> {
    var all: Set<EndReason?> = []
    var next: SessionID? = id
    while let id = next {
      all.insert(end(of: id))
      if ends.expired.contains(id) || server.store.tables.sessions[id] == nil {
        all.insert(.expired)
      }
      next = server.store.tables.sessions[id]?.successor
    }
    return all
  }

  /// Records the sessions that have expired by their idle time, because they may also be ended
  /// later.
  func noteExpired() {
    for id in server.store.tables.sessions.keys
    where !ends.expired.contains(id) && end(of: id) == .expired {
      ends.expired.insert(id)
    }
  }

  func noteRequest(_ request: WireRequest, from device: SimulatedDevice) {
    switch request.kind {
    case .refresh(let token): note("refresh", device.number, 0, String(token.prefix(14)))
    case .revoke(let token):
      note("revokes", device.number, 0, String(token.prefix(14)))
      if let id = LawBook.session(of: token) { ends.requested.insert(id) }
    case .endSession(let id):
      note("ends", device.number, 0, String(id.text.prefix(14)))
      ends.requested.insert(id)
    default: break
    }
  }
}
