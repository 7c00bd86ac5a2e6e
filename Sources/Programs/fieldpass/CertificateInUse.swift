import HTTPServer
import SignInHTTP
import SignInModel
import SignInService
import Synchronization
import SystemPorts
import Threads

/// The certificate that the server presents.
///
/// It is loaded again on SIGHUP, and a warning is logged before it expires.
final class CertificateInUse: Sendable {
  private static let daySeconds: Int64 = 24 * 60 * 60

  private let server: HTTPServer
  private let tls: Configuration.TLS
  private let configuration: Configuration
  private let isDevelopment: Bool
  private let clock: MachineClock
  private let log: LineQueue
  private let refusals = Atomic<Int64>(0)
  private let warnedAt = Mutex<Instant?>(nil)

  /// `nil` for a server without its own TLS configuration.
  init?(_ setting: ServerSettings, on server: HTTPServer, clock: MachineClock, log: LineQueue) {
    guard let tls = setting.configuration.tls else { return nil }
    self.tls = tls
    self.server = server
    configuration = setting.configuration
    isDevelopment = setting.isDevelopment
    self.clock = clock
    self.log = log
  }

  /// The last second of its validity, in Unix seconds.
  var validThrough: Int64 { server.certificateValidThrough ?? 0 }

  /// How many new certificates were refused.
  var refusalCount: Int64 { refusals.load(ordering: .relaxed) }

  /// Loads the certificate files again, for this server and for `others`.
  ///
  /// If apps would not trust the new certificate, the old one stays in use and the reason is
  /// logged.
  func reload(also others: [HTTPServer]) {
    let now = clock.now()
    let check = CertificateCheck(tls, configuration, isDevelopment: isDevelopment, now: now)
    var reasons = check.complaints.map { "\($0.what); \($0.hint)" }
    if reasons.isEmpty {
      do throws(HTTPServerFault) {
        let files = ServerSettings.files(of: tls)
        try server.reload(files)
        for other in others { try other.reload(files) }
      } catch {
        reasons = StartFault(error, remedy: "").complaints.map { "\($0.what); \($0.hint)" }
      }
    }
    if reasons.isEmpty {
      let last = AccountOutput.moment(Instant(seconds: validThrough))
      log.write(LogLine.info("certificate read again: valid through \(last)", at: now))
      for warning in check.warnings { log.write(LogLine.warning(warning, at: now)) }
      warnedAt.withLock { $0 = nil }
    } else {
      refusals.add(1, ordering: .relaxed)
      for reason in reasons {
        log.write(
          LogLine.fault("the new certificate is refused, the old one stays: \(reason)", at: now))
      }
    }
    warn()
  }

  /// Logs a warning, at most once a day, if the certificate expires soon.
  func warn() {
    let now = clock.now()
    guard let warning = CertificateCheck.warning(validThrough: validThrough, now: now) else {
      return
    }
    let isDue = warnedAt.withLock { warnedAt in
      if let last = warnedAt, now < last.adding(seconds: Self.daySeconds) { return false }
      warnedAt = now
      return true
    }
    if isDue { log.write(LogLine.warning(warning, at: now)) }
  }
}
