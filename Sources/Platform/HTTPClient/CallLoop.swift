internal import CCurl
internal import Glibc
internal import Synchronization

/// Runs parallel calls on one thread, which sleeps while no call has work to do.
///
/// `@unchecked Sendable`: `openCalls` belongs to the thread that runs the loop. libcurl allows
/// other threads to wake it.
final class CallLoop: @unchecked Sendable {
  /// The longest sleep.
  ///
  /// New work wakes the loop earlier.
  private static let longestRestMilliseconds: Int64 = 60_000
  /// libcurl is initialized once, before its first use.
  private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  /// The number of turns with work to do.
  let turns = Atomic(0)

  private struct Inbox {
    var transfers: [OutboundTransfer] = []
    var isStopping = false
  }

  private let calls: UnsafeMutableRawPointer
  private let inbox = Mutex(Inbox())
  private var openCalls: [UnsafeMutableRawPointer: OutboundTransfer] = [:]

  init() {
    precondition(Self.isReady, "libcurl does not start")
    guard let calls = curl_multi_init() else { preconditionFailure("no memory for calls") }
    self.calls = calls
    fp_limit_connections(calls, OutboundCalls.connectionLimit)
  }

  deinit { curl_multi_cleanup(calls) }

  /// Begins a transfer.
  ///
  /// The transfer always gets exactly one result.
  func begin(_ transfer: OutboundTransfer) {
    let isTaken = inbox.withLock { inbox in
      if !inbox.isStopping { inbox.transfers.append(transfer) }
      return !inbox.isStopping
    }
    if isTaken { curl_multi_wakeup(calls) } else { transfer.fail(.notSent("stopped")) }
  }

  /// Stops the loop.
  ///
  /// The result says whether it was running until now.
  func stop() -> Bool {
    let wasRunning = inbox.withLock { inbox in
      defer { inbox.isStopping = true }
      return !inbox.isStopping
    }
    if wasRunning { curl_multi_wakeup(calls) }
    return wasRunning
  }

  /// Runs the loop until `stop`.
  func run() {
    while true {
      let (transfers, isStopping) = inbox.withLock { inbox in
        defer { inbox.transfers = [] }
        return (inbox.transfers, inbox.isStopping)
      }
      for transfer in transfers { start(transfer) }
      if isStopping { break }
      turns.add(1, ordering: .relaxed)
      var running: Int32 = 0
      curl_multi_perform(calls, &running)
      finishAnswered()
      let rest = giveUpLate()
      curl_multi_poll(calls, nil, 0, Int32(rest), nil)
    }
    for call in Array(openCalls.keys) { end(call, CURLE_ABORTED_BY_CALLBACK) }
  }

  private func start(_ transfer: OutboundTransfer) {
    guard let call = curl_easy_init() else { return transfer.fail(.notSent("no memory")) }
    openCalls[call] = transfer
    let isPrepared = transfer.prepare(call)
    if !isPrepared || curl_multi_add_handle(calls, call) != CURLM_OK {
      end(call, CURLE_URL_MALFORMAT)
    }
  }

  private func finishAnswered() {
    var left: Int32 = 0
    while let message = curl_multi_info_read(calls, &left) {
      guard message.pointee.msg == CURLMSG_DONE, let call = message.pointee.easy_handle else {
        continue
      }
      end(call, fp_result(message))
    }
  }

  /// Ends late transfers and returns the milliseconds until the next one may be late.
  private func giveUpLate() -> Int64 {
    let now = ContinuousClock.now
    var rest = Self.longestRestMilliseconds
    for (call, transfer) in openCalls {
      let left = now.duration(to: transfer.deadline)
      if left <= .zero {
        end(call, CURLE_OPERATION_TIMEDOUT)
      } else {
        // Rounded up, because a sleep of zero would be a busy loop.
        rest = min(rest, Int64(left / .milliseconds(1)) + 1)
      }
    }
    return rest
  }

  private func end(_ call: UnsafeMutableRawPointer, _ code: CURLcode) {
    guard let transfer = openCalls.removeValue(forKey: call) else { return }
    let outcome = transfer.outcome(call, code)
    curl_multi_remove_handle(calls, call)
    curl_easy_cleanup(call)
    transfer.complete(outcome)
  }
}
