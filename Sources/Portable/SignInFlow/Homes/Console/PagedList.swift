import JSONText
public import SignInEngine
public import SignInModel
import SignInWire

/// A list that is read page by page, newest first.
///
/// Known entries remain visible during a request.
public struct PagedList<Entry: Equatable & Sendable>: Equatable, Sendable {
  /// `nil` until the first page was read.
  public private(set) var entries: [Entry]?
  public private(set) var asOf: Instant?
  public private(set) var loading: Wait?
  /// Whether the running request is for the next page.
  public private(set) var isReadingOn = false
  /// The number of pages in `entries`.
  private(set) var pageCount = 0
  /// Why the last request failed.
  public private(set) var problem: Notice?

  private let endpoint: Endpoint
  private var cursor: String?
  /// The filter of the running request, and of the entries.
  private var asked: [Form.Field] = []
  private var listed: [Form.Field] = []
  private var retry = Retry()

  init(_ endpoint: Endpoint) { self.endpoint = endpoint }

  public var hasMore: Bool { cursor != nil }
  public var isOffline: Bool { problem == .noConnection }

  func isFor(_ id: RequestID) -> Bool { loading?.isFor(id) ?? false }

  /// Reads the first page for `fields`.
  ///
  /// The answer to an earlier request is then ignored.
  mutating func load(_ fields: [Form.Field] = [], _ context: inout FlowContext) {
    isReadingOn = false
    asked = fields
    read(fields, &context)
  }

  /// Reads the next page, or the first page if the entries are those of another filter.
  mutating func readOn(_ fields: [Form.Field] = [], _ context: inout FlowContext) {
    guard loading == nil, let cursor else { return }
    guard fields == listed else { return load(fields, &context) }
    isReadingOn = true
    read(fields + PageQuery { $0.cursor = cursor }.form.fields, &context)
  }

  private mutating func read(_ fields: [Form.Field], _ context: inout FlowContext) {
    retry.stop()
    loading = Wait(request: context.ask(.get(endpoint, Form(fields))), since: context.now)
  }

  mutating func adopt(_ page: [Entry], cursor: String?, _ context: FlowContext) {
    entries = isReadingOn ? (entries ?? []) + page : page
    pageCount = isReadingOn ? pageCount + 1 : 1
    self.cursor = cursor
    listed = asked
    asOf = context.now
    (loading, isReadingOn) = (nil, false)
    problem = nil
    retry = Retry()
  }

  /// Reads the answer to the running request.
  mutating func answered(
    _ answer: Answer, _ name: WireField, _ read: (JSON) -> Entry?, _ context: FlowContext
  ) -> [PageEffect] {
    guard let body = answer.success, let page = name.entries(in: body, read) else {
      return fail(answer, context)
    }
    adopt(page, cursor: body.text(.cursor), context)
    return []
  }

  mutating func change(_ entries: [Entry]) { self.entries = entries }

  /// Keeps the entries, and records why there are no newer ones.
  ///
  /// The first page is requested again later. A later page is not: that would begin with the first
  /// page again, and the list would lose the entries after it.
  mutating func fail(_ answer: Answer, _ context: FlowContext) -> [PageEffect] {
    let reason = answer.notice(at: context.now)
    let isNew = problem != reason
    if !isReadingOn { retry.wait(from: context.now) }
    (loading, isReadingOn) = (nil, false)
    problem = reason
    return isNew ? [.report(.notice(reason))] : []
  }

  /// Whether a request that failed must be repeated now.
  func isDue(at now: Instant) -> Bool { loading == nil && retry.isDue(at: now) }

  func announcements(_ context: FlowContext) -> [PageEffect] {
    loading?.reports(context).inApp() ?? []
  }
}
