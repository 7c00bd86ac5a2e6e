public import JSONText
public import SignInModel
public import SignInWire

private typealias ExportRecords =
  AccountEntryRecords & AccountRecords & ContactProposalRecords & DeliveryRecords & IdentityRecords
  & JobRecords & NoticeRecords & PersonRecords & ProductFeedRecords & RevocableChangeRecords
  & SessionRecords

/// Exports all stored data of one person as one JSON object.
///
/// Hashes of passwords and invitations are left out, because they say nothing about the person. The
/// reason of a deactivation is in its event, because it is about the person (GDPR, article 15). The
/// export itself is an event, which is not among the exported events.
public func exportAccount(
  _ id: AccountID, rules: AccountEditingRules, in world: World
) async throws(Refusal) -> JSON {
  let now = world.clock.now()
  let records: [JSONMember] = try await world.read { (transaction: any ExportRecords) throws in
    let account = try transaction.account(id, changedBy: rules, needing: .administrator)
    return try transaction.records(of: account, at: now)
  }
  await world.linkEvents()
  let events = try await exportedEvents(of: id, rules: rules, in: world)
  return try await world.decide(about: [.account(id), rules.subject]) {
    (transaction: any AccountRecords & EventRecords) throws in
    // Check again, because the permission may have been removed in the meantime.
    _ = try transaction.account(id, changedBy: rules, needing: .administrator)
    try transaction.record(.accountExported, about: id, by: rules, at: now)
    let head = [JSONMember(.exportedAt, now.seconds)]
    return .object(head + records + [JSONMember(.events, .array(events))])
  }
}

/// Reads in batches, so that a long log does not block the store.
private func exportedEvents(
  of id: AccountID, rules: AccountEditingRules, in world: World
) async throws(Refusal) -> [JSON] {
  var exported: [JSON] = []
  var before: Int64?
  while true {
    let position = before
    let events: [SecurityEvent] = try await world.read {
      (transaction: any EventRecords) throws in
      try transaction.events(of: id, before: position, limit: EventLimits.batch)
    }
    let listed = events
    let forms: [JSON] = try await world.read {
      (transaction: any AccountRecords & EventRecords) throws in
      let isNumbered = try rules.permission(transaction).hasEverywhere(.viewer)
      return try listed.map { event in
        ListedEvent(event: try transaction.withNote(event), isNumbered: isNumbered).json
      }
    }
    exported += forms
    guard let last = events.last, events.count == EventLimits.batch else {
      return exported
    }
    before = last.sequence
  }
}

extension AccountRecords where Self: ExportRecords {
  fileprivate func records(of account: Account, at now: Instant) throws(StoreFault) -> [JSONMember]
  {
    let id = account.id
    let everyMoment = (Instant.earliest, Instant.latest.adding(milliseconds: 1))
    let deliveries = try deliveries(of: id, from: everyMoment.0, until: everyMoment.1)
    let products = try products(of: id, changedAfter: -1, limit: .max)
    let members: [JSONMember?] = [
      JSONMember(.account, try account.entry(at: now, self).json),
      list(.sessions, try sessions(of: id), \.exported),
      list(.devices, try knownDevices(of: id), \.exported),
      list(.identities, try identities(of: id)) { $0.entry.json },
      list(.contactProposals, try contactProposals(of: id), \.exported),
      list(.accountChanges, try revocableChanges(of: id), \.exported),
      list(.formerContacts, try formerContacts(of: id), \.exported),
      list(.notices, try notices(of: id), \.exported),
      try invitation(of: id).map { JSONMember(.invitation, $0.exported) },
      list(.messages, try messages(of: id), \.exported),
      list(.jobs, try jobs(of: id)) { $0.entry.json },
      list(.deliveries, deliveries) { $0.entry.json },
      list(.activities, try activities(of: id), \.exported),
      list(.products, products) { $0.entry.json(on: CalendarDay.earliest(at: now)) },
      list(.serviceRequests, try serviceRequests(of: id)) { $0.json },
    ]
    return members.compactMap { $0 }
  }

  private func list<Record>(
    _ name: WireField, _ records: [Record], _ json: (Record) -> JSON
  ) -> JSONMember {
    JSONMember(name, .array(records.map(json)))
  }
}

extension Session {
  fileprivate var exported: JSON {
    .members([
      JSONMember(.id, id.text), JSONMember(.clientID, client.text),
      JSONMember(.organization, ifPresent: organization?.text),
      JSONMember(.proofKey, proofKeyThumbprint), JSONMember(.scope, scope),
      JSONMember(.amr, .array(authenticationMethods.map { JSON.string($0) })),
      JSONMember(.provider, ifPresent: provider),
      JSONMember(.acr, ifPresent: assurance),
      JSONMember(.authTime, ifPresent: authenticatedAt?.seconds),
      JSONMember(.startedAt, startedAt.seconds),
      JSONMember(.lastUsedAt, lastUsedAt.seconds),
      JSONMember(.expiresAt, expiresAt.seconds),
      JSONMember(.endedBecause, ifPresent: end?.rawValue),
    ])
  }
}

extension RevocableChange {
  fileprivate var exported: JSON {
    .members([
      JSONMember(.kind, kind.rawValue), JSONMember(.value, ifPresent: before?.value.text),
      JSONMember(.at, madeAt.seconds), JSONMember(.expiresAt, endsAt.seconds),
      JSONMember(.undoneAt, ifPresent: undoneAt?.seconds),
    ])
  }
}

extension FormerContact {
  fileprivate var exported: JSON {
    .members([
      JSONMember(.value, value.text), JSONMember(.at, ifPresent: replacedAt?.seconds),
    ])
  }
}

extension KnownDevice {
  fileprivate var exported: JSON {
    .members([
      JSONMember(.proofKey, proofKeyThumbprint),
      JSONMember(.lastSeenAt, lastSeenAt.seconds),
      JSONMember(.passwordProved, hasProvedPassword),
    ])
  }
}

extension ContactProposal {
  fileprivate var exported: JSON {
    .members([
      JSONMember(.id, id), JSONMember(.provider, provider), JSONMember(.issuer, issuer),
      JSONMember(.subject, subject), JSONMember(.channel, channel.rawValue),
      JSONMember(.value, value.text), JSONMember(.proposedAt, proposedAt.seconds),
      JSONMember(.declinedAt, ifPresent: declinedAt?.seconds),
    ])
  }
}

extension AccountNotice {
  fileprivate var exported: JSON {
    .members([
      JSONMember(.id, id), JSONMember(.kind, kind.rawValue), JSONMember(.at, at.seconds),
    ])
  }
}

extension Invitation {
  fileprivate var exported: JSON {
    .members([
      JSONMember(.createdAt, createdAt.seconds), JSONMember(.expiresAt, expiresAt.seconds),
      JSONMember(.to, ifPresent: sentTo?.text),
    ])
  }
}

extension OutboxMessage {
  /// Contains the complete number or address, because it is the person's own.
  fileprivate var exported: JSON {
    let members = (entry.json.objectMembers ?? []).filter { !$0.isNamed(.to) }
    return .object([JSONMember(.to, to.text)] + members)
  }
}

extension Activity {
  fileprivate var exported: JSON {
    let organization = JSONMember(.organization, organization.text)
    return .object([organization] + (entry.json.objectMembers ?? []))
  }
}
