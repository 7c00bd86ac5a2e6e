public import SignInModel
package import SignInWire

/// A value that the app reads from the server.
///
/// It is shown until a newer one is known. After a failure it is read again automatically.
public struct FetchedValue<Value: Equatable & Sendable>: Equatable, Sendable {
  public private(set) var value: Value?
  public private(set) var asOf: Instant?
  /// The running request; `nil` if there is none.
  public private(set) var loading: Wait?
  /// Why the last request failed.
  public private(set) var problem: Notice?

  private let endpoint: Endpoint
  private let query: Form
  private var retry = Retry()

  package init(_ endpoint: Endpoint, _ query: Form = Form()) {
    (self.endpoint, self.query) = (endpoint, query)
  }

  public var isOffline: Bool { problem == .noConnection }

  /// Whether the server cannot be reached, with a network or without one.
  ///
  /// This is a state, not an error (L-25).
  public var isOutOfReach: Bool { isOffline || problem == .serviceUnreachable }

  /// Whether the screen has already shown a value or a failure.
  package var wasShown: Bool { value != nil || problem != nil }

  package func isFor(_ id: RequestID) -> Bool { loading?.isFor(id) ?? false }

  package mutating func load(_ context: inout FlowContext) {
    guard loading == nil else { return }
    retry.stop()
    loading = Wait(request: context.ask(.get(endpoint, query)), since: context.now)
  }

  /// Starts the running request again, because it may have been answered before a change.
  package mutating func restart(_ context: inout FlowContext) {
    guard loading != nil else { return }
    loading = nil
    load(&context)
  }

  package mutating func adopt(_ value: Value, _ context: FlowContext) {
    self.value = value
    asOf = context.now
    loading = nil
    problem = nil
    retry = Retry()
  }

  /// Shows the value that an earlier run of the app read, until a newer one is known.
  package mutating func restore(_ value: Value, asOf: Instant) {
    self.value = value
    self.asOf = asOf
  }

  /// Changes the value, but not its time.
  package mutating func amend(_ value: Value) { self.value = value }

  /// Keeps the value, records why there is no newer one, and tries again later.
  package mutating func fail(_ answer: Answer, _ context: FlowContext) -> [Effect] {
    let reason = answer.notice(at: context.now)
    let isNew = problem != reason
    loading = nil
    problem = reason
    retry.wait(from: context.now)
    return isNew ? [.report(.notice(reason))] : []
  }

  package mutating func networkReturned(_ context: inout FlowContext) {
    if problem != nil { load(&context) }
  }

  package mutating func tick(_ context: inout FlowContext) -> [Effect] {
    if retry.isDue(at: context.now) { load(&context) }
    return loading?.reports(context) ?? []
  }
}

/// When to try again.
///
/// The pause doubles each time, up to one minute.
package struct Retry: Equatable, Sendable {
  static let firstSeconds: Int64 = 5
  static let lastSeconds: Int64 = 60

  private var seconds = Retry.firstSeconds
  private var at: Instant?

  package init() {}

  package func isDue(at now: Instant) -> Bool { at.map { $0 <= now } ?? false }

  package mutating func wait(from now: Instant) {
    // The milliseconds of the current time spread the requests of devices that failed together.
    at = now.adding(seconds: seconds).adding(milliseconds: now.milliseconds % 1000)
    seconds = seconds * 2 < Self.lastSeconds ? seconds * 2 : Self.lastSeconds
  }

  package var isWaiting: Bool { at != nil }

  /// Whether the last attempt failed.
  package var hasFailed: Bool { seconds != Self.firstSeconds }

  package mutating func stop() { at = nil }
}
