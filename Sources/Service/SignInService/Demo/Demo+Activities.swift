public import SignInModel

extension Demo {
  /// The mentor's activities around the day of `now`, different ones in each organization.
  public static func activities(at now: Instant) -> [Activity] {
    let midnight = now.startOfDay
    typealias Row = (
      id: String, organization: String, day: Int64, from: Int64, title: String,
      companion: String, place: String, status: Activity.Status
    )
    let rows: [Row] = [
      (
        "north-1", "north", -1, 17 * 60, "Walk along the river", "Sindre", "Elvebakken bridge",
        .held
      ),
      (
        "north-2", "north", 0, 10 * 60, "Coffee and a talk", "Ingrid", "Café Nord, by the window",
        .planned
      ),
      (
        "north-3", "north", 0, 18 * 60, "Climbing for beginners", "Sindre",
        "Climbing hall, entrance B", .planned
      ),
      (
        "north-4", "north", 2, 16 * 60 + 30, "Visit the job centre together", "Leila",
        "Job centre, 2nd floor", .planned
      ),
      (
        "south-1", "south", 0, 12 * 60, "Lunch at the canteen", "Tomas",
        "South House, ground floor", .planned
      ),
      (
        "south-2", "south", 1, 9 * 60 + 30, "First meeting", "Amina", "South House, room 4",
        .planned
      ),
      (
        "south-3", "south", 3, 15 * 60, "Board games", "Tomas", "Library, quiet room", .cancelled
      ),
    ]
    return rows.map { row in
      let start = midnight.adding(seconds: row.day * 24 * 60 * 60 + row.from * 60)
      return Activity(
        id: row.id, account: AccountID("mentor"), organization: OrganizationID(row.organization),
        title: row.title, place: row.place, companion: row.companion, startsAt: start,
        endsAt: start.adding(seconds: 60 * 60), status: row.status)
    }
  }
}
