import SignInModel
public import SignInWire

/// The activities of the signed-in mentor, in the organization of the session, in order of their
/// start.
///
/// A session without an organization has none. The list has at most `HomeLimits.entries`. If there
/// are more, activities that are not planned are left out first.
public func listActivities(
  _ access: Access, in world: World, _ transaction: any ActivityRecords
) throws(StoreFault) -> ActivitiesAnswer {
  guard let organization = access.session.organization else { return ActivitiesAnswer([]) }
  let activities = try transaction.activities(
    of: access.account.id, in: organization, limit: HomeLimits.entries)
  return ActivitiesAnswer(activities.map { $0.entry })
}

/// Saves a mentor's notes about one of their activities.
///
/// An activity of another mentor, or of another organization than the session's, is answered like
/// one that does not exist (S-05).
public func writeNotes(
  _ notes: String, about id: String, _ access: Access, in world: World
) async throws(Refusal) -> ActivityEntry {
  let notes = TypedText.withLineFeeds(notes)
  guard notes.utf8.count <= ActivityEntry.notesByteLimit else {
    let limit = ActivityEntry.notesByteLimit
    throw Refusal.invalidRequest("notes are longer than \(limit) bytes")
  }
  let (account, organization) = (access.account.id, access.session.organization)
  let now = world.clock.now()
  return try await world.decide(about: [.account(account)]) {
    (transaction: any ActivityRecords & ChangeRecords & VersionRecords) throws in
    guard let organization,
      var activity = try transaction.activity(RecordKey(organization, id)),
      activity.account == account
    else { throw Refusal.noSuchActivity("no such activity here") }
    guard activity.notes != notes else { return activity.entry }
    activity.notes = notes
    activity.version = try transaction.nextVersion(in: organization)
    try transaction.save(activity)
    try transaction.append(
      DataChange(
        at: now, kind: .activity, key: activity.key, act: .notesChanged, account: account,
        status: activity.status.rawValue, version: activity.version
      ))
    return activity.entry
  }
}

extension Activity {
  var entry: ActivityEntry {
    ActivityEntry(
      id: id, title: title, startsAt: startsAt, endsAt: endsAt, place: place,
      companion: companion, status: status.rawValue, notes: notes
    )
  }
}
