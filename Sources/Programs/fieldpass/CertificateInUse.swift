import HTTPServer
import SignInHTTP
import SignInModel
import SignInService
import Synchronization
import Threads

/// The certificate that the server presents: read again on SIGHUP, and warned of before it ends.
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

  /// Nil for a server without TLS of its own.
  init?(_ setting: Setting, on server: HTTPServer, clock: MachineClock, log: LineQueue) {
    guard let tls = setting.configuration.tls else { return nil }
    self.tls = tls
    self.server = server
    configuration = setting.configuration
    isDevelopment = setting.isDevelopment
    self.clock = clock
    self.log = log
  }

  /// Until when it is valid, in Unix seconds.
  var validThrough: Int64 { server.certificateValidThrough ?? 0 }

  /// How often a new certificate was refused.
  var refusalCount: Int64 { refusals.load(ordering: .relaxed) }

  /// Presents the certificate that the files hold now, here and on `others`; if apps would not
  /// trust it, the one in use stays and the log says why.
  func reload(also others: [HTTPServer]) {
    let now = clock.now()
    let check = CertificateCheck(tls, configuration, isDevelopment: isDevelopment, now: now)
    var reasons = check.complaints.map { "\($0.what); \($0.hint)" }
    if reasons.isEmpty {
      do throws(HTTPServerFault) {
        let files = Setting.files(of: tls)
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

  /// Warns of a certificate that ends soon, once a day.
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
