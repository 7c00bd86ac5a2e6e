public import SignInModel

extension Demo {
  /// The mentor's activities around the day of `now`, different ones in each organization.
  public static func activities(at now: Instant) -> [Activity] {
    let midnight = now.startOfDay
    func activity(
      _ id: String, _ organization: String, day: Int64, from minutes: Int64, _ title: String,
      _ companion: String, _ place: String, _ status: Activity.Status = .planned
    ) -> Activity {
      let start = midnight.adding(seconds: day * 24 * 60 * 60 + minutes * 60)
      return Activity(
        id: id, account: AccountID("mentor"), organization: OrganizationID(organization),
        title: title, place: place, companion: companion, startsAt: start,
        endsAt: start.adding(seconds: 60 * 60), status: status
      )
    }
    return [
      activity(
        "north-1", "north", day: -1, from: 17 * 60, "Walk along the river", "Sindre",
        "Elvebakken bridge", .held),
      activity(
        "north-2", "north", day: 0, from: 10 * 60, "Coffee and a talk", "Ingrid",
        "Café Nord, by the window"),
      activity(
        "north-3", "north", day: 0, from: 18 * 60, "Climbing for beginners", "Sindre",
        "Climbing hall, entrance B"),
      activity(
        "north-4", "north", day: 2, from: 16 * 60 + 30, "Visit the job centre together", "Leila",
        "Job centre, 2nd floor"),
      activity(
        "south-1", "south", day: 0, from: 12 * 60, "Lunch at the canteen", "Tomas",
        "South House, ground floor"),
      activity(
        "south-2", "south", day: 1, from: 9 * 60 + 30, "First meeting", "Amina",
        "South House, room 4"),
      activity(
        "south-3", "south", day: 3, from: 15 * 60, "Board games", "Tomas", "Library, quiet room",
        .cancelled),
    ]
  }
}
