public import SignInWire

/// A technician's assigned jobs (T-01, T-16).
public typealias JobsHome = ListHome<JobsAnswer>

/// A rider's dashboard.
public typealias DashboardHome = ListHome<DashboardAnswer>

/// A home that shows what it reads, and changes nothing.
public struct ListHome<Value: HomeAnswer>: AppHome {
  public typealias PasswordSignIn = Value.PasswordSignIn
  public typealias PhoneSignIn = Value.PhoneSignIn

  public private(set) var answer = OfflineAnswer<Value>()

  public init() {}

  public mutating func open(_ context: inout FlowContext) -> [Effect] { answer.open(&context) }

  public mutating func handle(_ event: Event, _ context: inout FlowContext) -> [Effect] {
    answer.dispatch(event, &context)
  }

  public mutating func storeAgain() -> [Effect] { answer.storeAgain() }
}

extension JobsAnswer: HomeAnswer {
  public static var endpoint: Endpoint { .jobs }
  public static var list: OfflineLease.List { .jobs }
  public var announcement: Announcement { .jobsListed(Int64(jobs.count)) }
}

extension DashboardAnswer: HomeAnswer {
  public typealias PasswordSignIn = AbsentSignIn
  public typealias PhoneSignIn = RiderSignIn

  public static var endpoint: Endpoint { .dashboard }
  public static var list: OfflineLease.List { .dashboard }
  public var announcement: Announcement { .deliveriesListed(Int64(deliveries.count)) }
}

extension ActivitiesAnswer: HomeAnswer {
  public static var endpoint: Endpoint { .activities }
  public static var list: OfflineLease.List { .activities }
  public var announcement: Announcement { .activitiesListed(Int64(activities.count)) }
}
