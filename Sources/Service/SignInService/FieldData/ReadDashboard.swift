import SignInModel
public import SignInWire

/// Today's deliveries (UTC) of the signed-in rider, and the number of completed ones.
///
/// Deliveries of another organization than that of the session are left out (S-05), and those
/// without an organization if the session is limited to one. The numbers count every other
/// delivery. The list has at most `HomeLimits.entries`, in order of their start. If there are more,
/// delivered and failed ones are left out first.
public func readDashboard(
  _ access: Access, in world: World, _ transaction: any DeliveryRecords
) throws(StoreFault) -> DashboardAnswer {
  let (account, organization) = (access.account.id, access.session.organization)
  let isWhole = world.limit(of: access.session, access.account) == nil
  let midnight = world.clock.now().startOfDay
  let day = midnight..<midnight.adding(seconds: Instant.daySeconds)
  let deliveries = try transaction.deliveries(
    of: account, in: organization, withShared: isWhole, during: day, limit: HomeLimits.entries)
  let counts = try transaction.deliveryCounts(
    of: account, in: organization, withShared: isWhole, during: day)
  func count(_ statuses: Delivery.Status...) -> Int64 {
    statuses.reduce(0) { $0 + (counts[$1] ?? 0) }
  }
  let ids = ShownIDs(deliveries.map(\.key), in: organization)
  return DashboardAnswer(
    day: midnight, total: counts.values.reduce(0, +), delivered: count(.delivered),
    failed: count(.failed), remaining: count(.assigned, .pickedUp),
    deliveries: deliveries.map { $0.entry(as: ids.id(of: $0.key)) }
  )
}

extension Delivery {
  var entry: DashboardAnswer.Entry { entry(as: id) }

  func entry(as id: String) -> DashboardAnswer.Entry {
    DashboardAnswer.Entry(
      id: id, recipient: recipient, place: place, parcels: parcels, startsAt: startsAt,
      endsAt: endsAt, status: status.rawValue, phone: phone,
      instructions: instructions, statusNote: statusNote
    )
  }
}

extension Instant {
  static let daySeconds: Int64 = 24 * 60 * 60

  /// Midnight UTC at or before this time.
  var startOfDay: Instant { Instant(seconds: seconds / Self.daySeconds * Self.daySeconds) }
}
