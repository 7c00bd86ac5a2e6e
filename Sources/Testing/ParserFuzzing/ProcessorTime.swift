import Glibc

/// The processor seconds of this thread in `body`.
///
/// Other programs do not count.
public func processorSeconds(_ body: () -> Void) -> Double {
  func used() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
  let before = used()
  body()
  return used() - before
}
