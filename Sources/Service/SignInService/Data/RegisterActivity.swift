public import JSONText
public import SignInModel
public import SignInWire

/// An activity as a mentor registers it: planned, or held already.
public struct ActivityRegistration: Sendable {
  let draft: DataDraft

  /// The members that a mentor writes: those of an activity without its person and organization,
  /// which are those of the session.
  public static let members = DataKind.activities.fields.filter {
    $0.name != "account" && $0.name != "organization"
  }

  /// - Throws: Every mistake in the members at once.
  public init(reading json: JSON, _ access: Access, organization: OrganizationID)
    throws(DataMistakes)
  {
    var members = json.objectMembers ?? []
    let given = ["id", "version", "account", "organization"].filter { json[$0] != nil }
    if !given.isEmpty { throw DataMistakes(mistakes: given.map { .unknown($0) }) }
    members.append(JSONMember("account", access.account.id.text))
    members.append(JSONMember("organization", organization.text))
    // The identifier is drawn when the activity is made.
    draft = try DataDraft(reading: .object(members), .activities, id: "new")
  }
}

/// Keeps an activity that a mentor registers, in the organization of their session.
///
/// With `once`, the same request under the same key is answered the same and makes nothing twice.
public func registerActivity(
  _ registration: ActivityRegistration, _ access: Access, once: OnceOnly?, in world: World
) async -> Outcome<ActivityEntry> {
  let (account, now) = (access.account.id, world.clock.now())
  let id = world.handle(bytes: 12)
  var draft = registration.draft
  draft.id = id
  let made = draft
  return await world.decideOnce(
    once, at: now, json: { $0.json }, read: { ActivityEntry(json: $0) }
  ) { (transaction) throws(StoreFault) in
    guard case .activity(var activity) = made.record(of: account, replacing: nil, at: now) else {
      preconditionFailure("a draft of an activity makes an activity")
    }
    activity.version = try transaction.nextVersion()
    try transaction.save(activity)
    try transaction.append(
      DataChange(
        at: now, kind: .activity, id: id, act: .registered, account: account,
        status: activity.status.rawValue, version: activity.version
      ))
    return .success(activity.entry)
  }
}
