public import JSONText
public import SignInModel
public import SignInWire

/// An activity that a mentor registers.
///
/// It can be planned or in the past.
public struct ActivityRegistration: Sendable {
  let draft: DataDraft

  /// The members that a mentor writes.
  ///
  /// Account and organization are those of the session.
  public static let members = DataKind.activities.fields.filter {
    $0.member != .account && $0.member != .organization
  }

  /// - Throws: All mistakes in the members.
  public init(reading json: JSON, _ access: Access, organization: OrganizationID)
    throws(Refusal)
  {
    var members = json.objectMembers ?? []
    let given = [WireField.id, .version, .account, .organization].filter { json[$0] != nil }
    if !given.isEmpty { throw Refusal.mistaken(given.map { .unknown($0.rawValue) }) }
    members.append(JSONMember(.account, access.account.id.text))
    members.append(JSONMember(.organization, organization.text))
    // A placeholder. The identifier is created together with the activity.
    draft = try DataDraft(reading: .object(members), .activities, try RecordName("new"))
  }
}

/// Stores an activity that a mentor registers, in the organization of the session.
///
/// With `once`, a repeated request with the same key gets the same answer and creates nothing.
public func registerActivity(
  _ registration: ActivityRegistration, _ access: Access, once: IdempotencyKey?, in world: World
) async throws(Refusal) -> ActivityEntry {
  let (account, now) = (access.account.id, world.clock.now())
  let id = world.handle(bytes: 12)
  var draft = registration.draft
  draft.id = id
  let made = draft
  return try await world.decideIdempotently(
    once, about: [.account(account)],
    form: RememberedForm(json: { $0.json }, read: { ActivityEntry(json: $0) }),
    permit: access.permit
  ) { (transaction: any ActivityRecords & ChangeRecords & VersionRecords) throws(StoreFault) in
    guard
      case .activity(var activity) = made.record(
        of: account, in: access.session.organization, replacing: nil, at: now)
    else {
      preconditionFailure("the draft of an activity did not give an activity")
    }
    activity.version = try transaction.nextVersion(in: activity.organization)
    try transaction.save(activity)
    try transaction.append(
      DataChange(
        at: now, kind: .activity, key: activity.key, act: .registered, account: account,
        status: activity.status.rawValue, version: activity.version
      ))
    return activity.entry
  }
}
