import Cryptography
import Glibc
import HTTPServer
import SQLiteStore
import SignInHTTP
import SignInModel
import SignInService
import SignInWire
import TextMessengers
import Threads

/// `fieldpass serve`: puts a server together, runs it until a signal asks it to stop.
enum Serving {
  /// How long the end waits for a standard error that is not read.
  private static let logMilliseconds: Int64 = 1000

  /// Answers the exit status.
  static func run(_ options: ServeOptions) -> Int32 {
    let signals = ServerSignals()
    let log = LineQueue(file: STDERR_FILENO) { LogLine.dropped($0, at: MachineClock.wallClock) }
    defer { log.close(withinMilliseconds: logMilliseconds) }
    do throws(StartFault) {
      let check = StartCheck(options, now: MachineClock().now())
      if options.isCheck { return try report(check) }
      let server = try RunningServer(try check.setting(), log: log)
      say("listening on \(server.address)\nmetrics on \(server.metricsAddress)")
      // A terminal that is closed sends SIGHUP, too: it ends what a developer tries there.
      let isTrial = options.isDevelopment && isatty(STDIN_FILENO) == 1
      while signals.next() == .reload, !isTrial { server.reload() }
      server.stop()
      return 0
    } catch {
      for (what, hint) in error.complaints { complain(what, hint: hint) }
      return 1
    }
  }

  private static func say(warning: String) {
    LineWriter.standardError.write("fieldpass: warning: " + warning)
  }

  /// Tells what `--check` found; nothing is started.
  private static func report(_ check: StartCheck) throws(StartFault) -> Int32 {
    for warning in check.warnings { say(warning: warning) }
    _ = try check.setting()
    say("the configuration and the files it names have no mistakes")
    return ExitStatus.done
  }

  /// The first line on standard output is the address listened on and the second is that of the
  /// metrics, so that scripts can read them.
  private static func say(_ lines: String) {
    let bytes = Array((lines + "\n").utf8)
    _ = bytes.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
  }
}

/// Why the server could not start: every reason at once, each with what to do.
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

/// SIGTERM, SIGINT and SIGHUP, held back from every thread and awaited by the main one.
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
