internal import Glibc

/// One operating system thread, for work that must not block an event loop or Swift's pool.
///
/// `@unchecked Sendable`: `handle` is set once, in `init`.
public final class WorkerThread: @unchecked Sendable {
  /// The system allocates memory on use, so that a large stack limit costs nothing.
  public static let stackBytes = 1 << 20

  /// The niceness of a background thread.
  ///
  /// While other threads use all processors, such a thread gets about a tenth of one.
  public static let backgroundNiceness: Int32 = 10

  private let handle: pthread_t

  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Starts the thread.
  ///
  /// The system prefers other threads to one with `isBackground`.
  public init(isBackground: Bool = false, _ body: @escaping @Sendable () -> Void) {
    let body = isBackground ? Self.inBackground(body) : body
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setstacksize(&attributes, Self.stackBytes)
    let start = Unmanaged.passRetained(Body(body)).toOpaque()
    var created = pthread_t()
    let status = pthread_create(
      &created, &attributes,
      { start in
        guard let start else { return nil }
        Unmanaged<Body>.fromOpaque(start).takeRetainedValue().run()
        return nil
      }, start)
    pthread_attr_destroy(&attributes)
    precondition(status == 0, "the system gives no more threads: raise its limit")
    handle = created
  }

  /// Linux has a niceness for each thread, and 0 is the calling one.
  private static func inBackground(
    _ body: @escaping @Sendable () -> Void
  ) -> @Sendable () -> Void {
    {
      // A failure only leaves the usual niceness.
      setpriority(Int32(PRIO_PROCESS.rawValue), 0, backgroundNiceness)
      body()
    }
  }

  /// Returns after the body has returned.
  ///
  /// Call it once. On the thread itself it only lets the thread end without a join.
  public func join() {
    if pthread_equal(pthread_self(), handle) != 0 {
      pthread_detach(handle)
    } else {
      pthread_join(handle, nil)
    }
  }
}
