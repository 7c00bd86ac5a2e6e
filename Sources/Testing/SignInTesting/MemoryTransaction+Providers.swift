internal import SignInModel
internal import SignInService
internal import SignInWire

extension MemoryTransaction: ProviderDocumentRecords {
  func providerDocument(
    _ kind: ProviderDocument.Kind, of provider: String
  ) -> ProviderDocument? {
    tables.providerDocuments[.init(provider: provider, kind: kind)]
  }

  func save(_ document: ProviderDocument) throws(StoreFault) {
    try write { tables in
      tables.providerDocuments[.init(provider: document.provider, kind: document.kind)] = document
    }
  }
}

extension MemoryTransaction: ProviderJourneyRecords {
  func insert(_ journey: ProviderJourney) throws(StoreFault) {
    try write { tables throws(StoreFault) in
      try tables.providerJourneys.insertNew(journey, for: journey.digest)
    }
  }

  func providerJourney(digest: [UInt8]) -> ProviderJourney? { tables.providerJourneys[digest] }

  func providerJourney(stateDigest: [UInt8]) -> ProviderJourney? {
    tables.providerJourneys.values.first { journey in
      switch journey.progress {
      case .pushed: false
      case .started(let state, _, _): state == stateDigest
      case .ended(let ending): ending?.state == stateDigest
      }
    }
  }

  func startedProviderJourneys(
    browserDigest: [UInt8], at provider: String, expiringAfter moment: Instant, limit: Int
  ) -> [ProviderJourney] {
    let found = tables.providerJourneys.values.filter { journey in
      guard case .started(_, let browser, _) = journey.progress else { return false }
      return browser == browserDigest && journey.provider == provider
        && journey.expiresAt > moment
    }
    return Array(found.prefix(limit))
  }

  func update(_ journey: ProviderJourney) throws(StoreFault) {
    try write { tables throws(StoreFault) in
      try tables.providerJourneys.change(journey.digest) { $0.progress = journey.progress }
    }
  }

  func removeOpenProviderJourneys(
    proofKeyThumbprint: String, keeping count: Int
  ) throws(StoreFault) {
    try write { tables in
      let open = tables.providerJourneys.values.filter {
        if case .ended = $0.progress { return false }
        return $0.proofKeyThumbprint == proofKeyThumbprint
      }
      let newest = open.sorted { one, other in
        one.startedAt == other.startedAt
          ? one.digest.lexicographicallyPrecedes(other.digest) : one.startedAt > other.startedAt
      }
      for journey in newest.dropFirst(count) { tables.providerJourneys[journey.digest] = nil }
    }
  }

  func removeProviderJourneys(
    expiredBefore moment: Instant, limit: Int
  ) throws(StoreFault) -> Int {
    try write { tables in
      tables.providerJourneys.remove(limit, by: { $0.expiresAt }, where: { $0.expiresAt < moment })
    }
  }
}

extension MemoryTransaction: IdentityRecords {
  func identity(issuer: String, subject: String) -> Identity? {
    tables.identities[.init(issuer: issuer, subject: subject)]
  }

  func identities(of account: AccountID) -> [Identity] {
    tables.identities.values.filter { $0.account == account }
      .sorted { ($0.linkedAt, $0.issuer, $0.subject) < ($1.linkedAt, $1.issuer, $1.subject) }
  }

  func insert(_ identity: Identity) throws(StoreFault) {
    try write { tables throws(StoreFault) in
      try tables.identities.insertNew(identity, for: identity.place)
    }
  }

  func update(_ identity: Identity) throws(StoreFault) {
    try write { tables throws(StoreFault) in
      try tables.identities.change(identity.place) { $0.lastUsedAt = identity.lastUsedAt }
    }
  }

  func removeIdentity(issuer: String, subject: String) throws(StoreFault) {
    try write { tables in
      tables.identities[.init(issuer: issuer, subject: subject)] = nil
      tables.contactProposals = tables.contactProposals.filter { _, proposal in
        proposal.issuer != issuer || proposal.subject != subject
      }
    }
  }
}

extension MemoryTransaction: ContactProposalRecords {
  func save(_ proposal: ContactProposal) throws(StoreFault) {
    try write { tables in
      let earlier = tables.contactProposals.values.first { other in
        other.issuer == proposal.issuer && other.subject == proposal.subject
          && other.channel == proposal.channel
      }
      if let earlier { tables.contactProposals[earlier.id] = nil }
      tables.contactProposals[proposal.id] = proposal
    }
  }

  func contactProposals(of account: AccountID) -> [ContactProposal] {
    tables.contactProposals.values.filter { $0.account == account }
      .sorted { ($0.proposedAt, $0.id) < ($1.proposedAt, $1.id) }
  }

  func removeContactProposal(_ id: String, of account: AccountID) throws(StoreFault) {
    try write { tables in
      if tables.contactProposals[id]?.account == account { tables.contactProposals[id] = nil }
    }
  }

  func removeContactProposals(
    madeBefore moment: Instant, limit: Int
  ) throws(StoreFault) -> Int {
    try write { tables in
      tables.contactProposals.remove(
        limit, by: { $0.proposedAt },
        where: { $0.declinedAt == nil && $0.proposedAt < moment })
    }
  }
}

extension Identity {
  fileprivate var place: MemoryTables.IdentityPlace { .init(issuer: issuer, subject: subject) }
}
