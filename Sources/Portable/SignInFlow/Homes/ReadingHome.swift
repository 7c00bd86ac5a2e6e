public import SignInWire

/// A technician's assigned jobs (US-076).
public typealias JobsHome = ReadingHome<JobsAnswer>

/// A rider's day.
public typealias DashboardHome = ReadingHome<DashboardAnswer>

/// A home that shows what it reads, and changes nothing.
public struct ReadingHome<Value: HomeAnswer>: AppHome {
  public private(set) var answer = KeptAnswer<Value>()

  mutating func open(_ context: inout FlowContext) -> [Effect] { answer.open(&context) }

  mutating func handle(_ event: Event, _ context: inout FlowContext) -> [Effect] {
    answer.handle(event, &context) ?? []
  }

  mutating func keepAnew() -> [Effect] { answer.keepAnew() }
}

extension JobsAnswer: HomeAnswer {
  public static var path: String { Endpoint.jobs }
  public static var shelf: OfflineLease.Shelf { .jobs }
  public var announcement: Announcement { .jobsListed(Int64(jobs.count)) }
}

extension DashboardAnswer: HomeAnswer {
  public static var path: String { Endpoint.dashboard }
  public static var shelf: OfflineLease.Shelf { .dashboard }
  public var announcement: Announcement { .deliveriesListed(Int64(deliveries.count)) }
}

extension ActivitiesAnswer: HomeAnswer {
  public static var path: String { Endpoint.activities }
  public static var shelf: OfflineLease.Shelf { .activities }
  public var announcement: Announcement { .activitiesListed(Int64(activities.count)) }
}
