import Cryptography
import Glibc
import HTTPServer
import SQLStore
import SignInHTTP
import SignInModel
import SignInService
import SignInWire
import SystemPorts
import TextMessengers
import Threads

/// `fieldpass serve`: creates a server and runs it until a signal stops it.
enum ServeCommand {
  /// How long the start and the end of the process wait for a reader of standard error.
  private static let logMilliseconds: Int64 = 1000

  /// Returns the exit status.
  static func run(_ options: ServeOptions) -> Int32 {
    let signals = ServerSignals()
    let log = LineQueue(file: STDERR_FILENO) { LogLine.dropped($0, at: MachineClock.wallClock) }
    defer { log.close(withinMilliseconds: logMilliseconds) }
    do throws(StartFault) {
      let check = StartCheck(options, now: MachineClock().now())
      if options.isCheck { return try report(check) }
      let server = try RunningServer(try check.setting(), log: log)
      // The warnings of the start are in the log when the address is known.
      log.flush(withinMilliseconds: logMilliseconds)
      say("listening on \(server.address)\nmetrics on \(server.metricsAddress)")
      // A closed terminal sends SIGHUP too. For a development server in a terminal, SIGHUP means
      // stop.
      let isTrial = options.isDevelopment && isatty(STDIN_FILENO) == 1
      while signals.next() == .reload, !isTrial { server.reload() }
      server.stop()
      return server.hasOtherKey ? ExitStatus.failed : ExitStatus.done
    } catch {
      // The lines of the log come first, as they were written first.
      log.flush(withinMilliseconds: logMilliseconds)
      for (what, hint) in error.complaints { complain(what, hint: hint) }
      return 1
    }
  }

  private static func say(warning: String) {
    LineWriter.standardError.write("fieldpass: warning: " + warning)
  }

  /// Reports the result of `--check`.
  private static func report(_ check: StartCheck) throws(StartFault) -> Int32 {
    for warning in check.warnings { say(warning: warning) }
    _ = try check.setting()
    say("the configuration and the files it names have no mistakes")
    return ExitStatus.done
  }

  /// Writes to standard output.
  ///
  /// The first line is the server's URL and the second is the URL of the metrics, so that scripts
  /// can read them.
  private static func say(_ lines: String) {
    let bytes = Array((lines + "\n").utf8)
    _ = bytes.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
  }
}

/// All reasons why the server could not start.
///
/// Each has a hint.
struct StartFault: Error {
  let complaints: [(what: String, hint: String)]

  init(_ what: String, hint: String) { complaints = [(what, hint)] }

  init(_ complaints: [(what: String, hint: String)]) { self.complaints = complaints }

  init(_ fault: FileFault) { self.init(fault.what, hint: fault.hint) }

  init(_ mistakes: [ConfigurationMistake]) {
    complaints = mistakes.map { mistake in
      let place = mistake.path.isEmpty ? "the configuration" : "`\(mistake.path)`"
      return ("\(place) \(mistake.problem)", mistake.remedy)
    }
  }
}

/// SIGTERM, SIGINT and SIGHUP.
///
/// All threads block them, and the main thread waits for them.
struct ServerSignals {
  enum Order {
    case stop
    /// Read the certificate and the signing keys again.
    case reload
  }

  private var set = sigset_t()

  init() {
    sigemptyset(&set)
    sigaddset(&set, SIGTERM)
    sigaddset(&set, SIGINT)
    sigaddset(&set, SIGHUP)
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Waits for the next signal.
  func next() -> Order {
    var set = set
    var signal: Int32 = 0
    sigwait(&set, &signal)
    return signal == SIGHUP ? .reload : .stop
  }
}
