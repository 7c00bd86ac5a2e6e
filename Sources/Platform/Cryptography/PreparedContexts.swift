internal import Synchronization

/// Contexts of OpenSSL that are ready for their next use.
///
/// Preparing a context fetches its algorithms by name, which costs more than many of the
/// operations. OpenSSL allows any number of operations on one context, but only one at a time. So a
/// context is either in this list or belongs to one call, never both, and the lock of the list
/// orders two uses on different threads. There are never more contexts than there were calls at the
/// same time.
final class PreparedContexts: Sendable {
  /// A pointer that moves between threads, as the list allows it.
  private struct Idle: @unchecked Sendable {
    let context: OpaquePointer
  }

  private let idle = Mutex<[Idle]>([])
  private let free: @Sendable (OpaquePointer) -> Void

  /// `free` releases a context.
  init(free: @escaping @Sendable (OpaquePointer) -> Void) { self.free = free }

  deinit {
    let contexts = idle.withLock { $0 }
    for each in contexts { free(each.context) }
  }

  /// Calls `body` with a context that no other call has; `make` prepares one if all are in use.
  func withContext<Answer>(
    make: () -> OpaquePointer, _ body: (OpaquePointer) -> Answer
  ) -> Answer {
    let taken = idle.withLock { $0.popLast() } ?? Idle(context: make())
    defer { idle.withLock { $0.append(taken) } }
    return body(taken.context)
  }
}
