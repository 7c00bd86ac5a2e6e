internal import SignInModel
internal import SignInService

// Decisions on several connections: one that wrote its events earlier can be durable later.
extension Simulation {
  /// Hides the events of some decisions until a later commit.
  ///
  /// The next decisions about the same accounts wait for such a decision, so their events are
  /// hidden, too.
  func delayEvents(_ before: MemoryTables, _ after: inout MemoryTables) {
    let left = Set(after.unlinkedEvents.map(\.id))
    for event in before.unlinkedEvents where !left.contains(event.id) {
      lastLinkedEvent = max(lastLinkedEvent, event.id)
    }
    let new = after.unlinkedEvents.filter { $0.id > before.lastUnlinkedEvent }
    laws.writtenEvents += new
    guard !haveConditionsEnded else { return }
    if !lateEvents.isEmpty, chance.isOne(in: 3) { releaseEvents(in: &after) }
    guard !new.isEmpty else { return }
    let late = Set(lateEvents.compactMap(\.content.account))
    let mustWait = new.contains { $0.content.account.map(late.contains) ?? false }
    guard mustWait || chance.isOne(in: 8) else { return }
    lateEvents += new
    after.unlinkedEvents.removeAll { $0.id > before.lastUnlinkedEvent }
  }

  /// Makes the hidden events durable.
  func releaseEvents(in tables: inout MemoryTables) {
    var released = lateEvents
    lateEvents = []
    if defect == .linkerSkipsLateEvent { released.removeAll { $0.id < lastLinkedEvent } }
    tables.unlinkedEvents = (tables.unlinkedEvents + released).sorted { $0.id < $1.id }
  }

  func releaseEvents() {
    var tables = server.store.tables
    releaseEvents(in: &tables)
    server.store.tables = tables
  }

  /// Links all events, and checks the log.
  func checkEvents() {
    releaseEvents()
    let world = server.world
    server.perform(
      SimulatedOperation(.background, in: server.life, isFromApp: false, at: clock.now())
    ) {
      await world.linkEvents()
    }
    settle()
    laws.checkLog(server.store.tables.events)
    laws.checkLinked(server.store.tables.events)
  }
}
