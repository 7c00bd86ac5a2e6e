import Glibc
import HTTPServer
import SignInModel
import SignInService

/// What keeps the two files of `tls` from being used, at the start and when they are read again.
struct CertificateCheck {
  /// A certificate that ends sooner is warned of.
  static let warningDays: Int64 = 21

  private(set) var complaints: [(what: String, hint: String)] = []
  private(set) var warnings: [String] = []

  init(
    _ tls: Configuration.TLS, _ configuration: Configuration, isDevelopment: Bool, now: Instant
  ) {
    let files = HTTPServerConfiguration.TLS(
      certificateFile: tls.certificateFile, keyFile: tls.keyFile
    )
    var found = files.mistakes(host: configuration.issuerHost, unixSeconds: now.seconds)
    do throws(FileFault) { try Files.checkPrivate(tls.keyFile) } catch {
      complaints.append(("tls.key: \(error.what)", error.hint))
      // A file that is absent is told once.
      found.removeAll { mistake in
        if case .keyFileUnavailable = mistake { true } else { false }
      }
    }
    for mistake in found {
      let complaint = mistake.complaint(of: tls)
      // A proxy may know the server by another name than people do. In development the issuer is
      // this machine, for which certificates are seldom made.
      let isAllowed = isDevelopment || !configuration.trustedProxies.isEmpty
      if case .otherHost = mistake, isAllowed {
        warnings.append(complaint.what)
      } else {
        complaints.append(complaint)
      }
    }
  }

  /// What to warn of when the certificate in use is valid through this Unix second; nil when it is
  /// valid for long enough.
  static func warning(validThrough last: Int64, now: Instant) -> String? {
    let day: Int64 = 24 * 60 * 60
    let left = last - now.seconds
    guard left < warningDays * day else { return nil }
    let moment = AccountOutput.moment(Instant(seconds: last))
    let ends = left < 0 ? "expired at" : "ends in \(left / day) days, at"
    return "the certificate in use \(ends) \(moment): renew it and send SIGHUP"
  }
}

extension CertificateMistake {
  /// What is wrong, then what to do.
  fileprivate func complaint(of tls: Configuration.TLS) -> (what: String, hint: String) {
    switch self {
    case .certificateFileUnavailable(let code):
      (
        "tls.certificate: cannot read `\(tls.certificateFile)`: \(String(cString: strerror(code)))",
        "check that the path exists and that this user may use it"
      )
    case .keyFileUnavailable(let code):
      (
        "tls.key: cannot read `\(tls.keyFile)`: \(String(cString: strerror(code)))",
        "check that the path exists and that this user may use it"
      )
    case .certificateUnreadable:
      ("`\(tls.certificateFile)` holds no certificate", "name a PEM file under tls.certificate")
    case .keyUnreadable:
      ("`\(tls.keyFile)` holds no private key", "name a PEM file under tls.key")
    case .keyDoesNotMatchCertificate:
      ("tls.key does not belong to tls.certificate", "name the pair that was issued")
    case .notYetValid(let first):
      (
        "tls.certificate is not valid before \(AccountOutput.moment(Instant(seconds: first)))",
        "compare the clock of this machine, or name a certificate that is valid now"
      )
    case .expired(let last):
      (
        "tls.certificate expired at \(AccountOutput.moment(Instant(seconds: last)))",
        "renew it, or name a certificate that is valid now"
      )
    case .otherHost(let host):
      (
        "tls.certificate does not cover \(host), the host of the issuer",
        "name a certificate of that host, or correct the issuer"
      )
    }
  }
}
