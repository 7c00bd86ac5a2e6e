public import SignInEngine
public import SignInModel
public import SignInWire

/// A technician's assigned jobs (T-01, T-16).
public typealias JobsHome = ListHome<JobsAnswer>

/// A rider's dashboard.
public typealias DashboardHome = ListHome<DashboardAnswer>

/// A list of work, whose items a person opens to read them and to change their status.
public protocol WorkAnswer: HomeAnswer {
  /// The name of the list in addresses.
  static var place: String { get }

  static func endpoint(of item: String) -> Endpoint

  /// What the person can choose after `status`, the most frequent first.
  static func next(after status: String) -> [String]

  /// Whether the person says why, because other people must act on it.
  static func needsNote(_ status: String) -> Bool

  /// Whether no work is left; false for a status of a later version of the server.
  static func isFinished(_ status: String) -> Bool

  /// The status of the item; `nil` if there is no such item.
  func status(of item: String) -> String?

  /// The answer after the change.
  func with(status: String, note: String?, of item: String) -> Self
}

/// A status that the person chose, while the app asks about it.
public struct StatusQuestion: Equatable, Sendable {
  public typealias Mistake = StatusNoteMistake

  public let status: String
  public var note = ""
  public var mistake: Mistake?
}

/// A home with a list of work.
///
/// A new status is shown at once, and remains in a queue until the server has confirmed it.
public struct ListHome<Value: WorkAnswer>: FormHome, EventHandler {
  public typealias PasswordSignIn = Value.PasswordSignIn
  public typealias PhoneSignIn = Value.PhoneSignIn

  /// What happened to the last change of the open item.
  public enum Outcome: Equatable, Sendable {
    case saved(Instant)
    case refused(Notice)
  }

  public internal(set) var answer = OfflineAnswer<Value>()
  /// The identifier of the open item.
  public internal(set) var opened: String?
  /// A status that cannot be changed afterwards or that needs a note, while the person is asked.
  public internal(set) var asking: StatusQuestion?
  var queue = StatusChangeQueue()
  public internal(set) var outcome: Outcome?
  /// Whether the finished items are shown in the list.
  public internal(set) var showsFinished = false

  public init() {}

  public mutating func open(_ context: inout FlowContext) -> [PageEffect] {
    answer.open(&context) + [.engine(.readScreenState(context.sessionName))]
  }

  public mutating func handle(_ event: Event, _ context: inout FlowContext) -> [PageEffect] {
    answer.dispatch(event, &context) + dispatch(event, &context)
  }

  public mutating func storeAgain() -> [PageEffect] { answer.storeAgain() }

  public var unsentCount: Int64 { Int64(changes.count) }
}

extension JobsAnswer: WorkAnswer {
  public static var endpoint: Endpoint { .jobs }
  public static var list: OfflineLease.List { .jobs }
  public static var place: String { "jobs" }
  public var announcement: Announcement { .jobsListed(Int64(jobs.count)) }

  public static func endpoint(of item: String) -> Endpoint { .job(Endpoint.Segment(item)) }

  public static func next(after status: String) -> [String] {
    switch status {
    case "scheduled": ["in_progress", "on_the_way", "problem"]
    case "on_the_way": ["in_progress", "problem"]
    case "in_progress": ["done", "problem"]
    case "problem": ["in_progress", "done"]
    default: []
    }
  }

  public static func needsNote(_ status: String) -> Bool { status == "problem" }

  public static func isFinished(_ status: String) -> Bool { status == "done" }

  public func status(of item: String) -> String? { jobs.first { $0.id == item }?.status }

  public func with(status: String, note: String?, of item: String) -> JobsAnswer {
    var entries = jobs
    for index in entries.indices where entries[index].id == item {
      (entries[index].status, entries[index].statusNote) = (status, note)
    }
    return JobsAnswer(entries)
  }
}

extension DashboardAnswer: WorkAnswer {
  public typealias PasswordSignIn = AbsentSignIn
  public typealias PhoneSignIn = RiderSignIn

  public static var endpoint: Endpoint { .dashboard }
  public static var list: OfflineLease.List { .dashboard }
  public static var place: String { "deliveries" }
  public var announcement: Announcement { .deliveriesListed(Int64(deliveries.count)) }

  public static func endpoint(of item: String) -> Endpoint { .delivery(Endpoint.Segment(item)) }

  public static func next(after status: String) -> [String] {
    switch status {
    case "assigned": ["picked_up", "failed"]
    case "picked_up": ["delivered", "failed"]
    default: []
    }
  }

  public static func needsNote(_ status: String) -> Bool { status == "failed" }

  public static func isFinished(_ status: String) -> Bool {
    status == "delivered" || status == "failed"
  }

  public func status(of item: String) -> String? { deliveries.first { $0.id == item }?.status }

  /// The counts include deliveries that are not listed, so they change by one.
  public func with(status: String, note: String?, of item: String) -> DashboardAnswer {
    var entries = deliveries
    var (delivered, failed, remaining) = (self.delivered, self.failed, self.remaining)
    for index in entries.indices where entries[index].id == item {
      let isOpen = !Self.next(after: entries[index].status).isEmpty
      if isOpen, Self.next(after: status).isEmpty {
        remaining -= 1
        if status == "failed" { failed += 1 } else { delivered += 1 }
      }
      (entries[index].status, entries[index].statusNote) = (status, note)
    }
    return DashboardAnswer(
      day: day, total: total, delivered: delivered, failed: failed, remaining: remaining,
      deliveries: entries)
  }
}

extension ActivitiesAnswer: HomeAnswer {
  public static var endpoint: Endpoint { .activities }
  public static var list: OfflineLease.List { .activities }
  public var announcement: Announcement { .activitiesListed(Int64(activities.count)) }
}
