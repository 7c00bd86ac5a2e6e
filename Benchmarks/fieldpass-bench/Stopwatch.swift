import Glibc

/// Seconds on the monotonic clock, which cannot be set.
enum Stopwatch {
  static var seconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  static var unixSeconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec)
  }

  static func seconds<Answer, Fault: Error>(
    of body: () throws(Fault) -> Answer
  ) throws(Fault) -> (Answer, seconds: Double) {
    let began = seconds
    let answer = try body()
    return (answer, seconds - began)
  }

  /// Waits until this moment of `seconds`; returns at once if it has passed.
  static func pause(until moment: Double) {
    let wait = moment - seconds
    if wait > 0 { usleep(UInt32(wait * 1e6)) }
  }

  static func pause(milliseconds: Int) { usleep(UInt32(milliseconds * 1000)) }
}
