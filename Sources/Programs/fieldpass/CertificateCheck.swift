import Glibc
import HTTPServer
import SignInModel
import SignInService

/// Finds mistakes in the two files of `tls`, at the start and after each reload.
struct CertificateCheck {
  /// Warn if the certificate expires in fewer days than this.
  static let warningDays: Int64 = 21

  /// The last second of the certificate's validity; `nil` if it cannot be read.
  let validThrough: Int64?
  private(set) var complaints: [(what: String, hint: String)] = []
  private(set) var warnings: [String] = []

  init(
    _ tls: Configuration.TLS, _ configuration: Configuration, isDevelopment: Bool, now: Instant
  ) {
    let files = HTTPServerConfiguration.TLS(
      certificateFile: tls.certificateFile, keyFile: tls.keyFile
    )
    validThrough = files.certificateValidThrough
    var found = files.mistakes(host: configuration.issuerHost, unixSeconds: now.seconds)
    do throws(FileFault) { try Files.checkPrivate(tls.keyFile) } catch {
      complaints.append(("tls.key: \(error.what)", error.hint))
      // `checkPrivate` has already reported a missing key file.
      found.removeAll { mistake in
        if case .keyFileUnavailable = mistake { true } else { false }
      }
    }
    for mistake in found {
      let complaint = mistake.complaint(of: tls)
      // A proxy may know the server by another host name than the apps do. In development the
      // issuer is this machine, and most certificates do not name it. So both cases are only
      // warnings.
      let isAllowed = isDevelopment || !configuration.trustedProxies.isEmpty
      if case .otherHost = mistake, isAllowed {
        warnings.append(complaint.what)
      } else {
        complaints.append(complaint)
      }
    }
  }

  /// The warning about the certificate in use; `nil` if it is valid for at least `warningDays`
  /// days.
  ///
  /// `last` is the last Unix second at which the certificate is valid.
  static func warning(validThrough last: Int64, now: Instant) -> String? {
    let day: Int64 = 24 * 60 * 60
    let left = last - now.seconds
    guard left < warningDays * day else { return nil }
    let moment = AccountOutput.moment(Instant(seconds: last))
    let ends = left < 0 ? "expired at" : "expires in \(left / day) days, at"
    return "the certificate in use \(ends) \(moment): renew it and send SIGHUP"
  }
}

extension CertificateMistake {
  /// What is wrong, and what to do.
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
      ("`\(tls.certificateFile)` contains no certificate", "name a PEM file under tls.certificate")
    case .keyUnreadable:
      ("`\(tls.keyFile)` contains no private key", "name a PEM file under tls.key")
    case .keyDoesNotMatchCertificate:
      ("tls.key and tls.certificate are not a pair", "name a certificate and its own private key")
    case .notYetValid(let first):
      (
        "tls.certificate is not valid before \(AccountOutput.moment(Instant(seconds: first)))",
        "check the clock of this machine, or name a certificate that is valid now"
      )
    case .expired(let last):
      (
        "tls.certificate expired at \(AccountOutput.moment(Instant(seconds: last)))",
        "renew it, or name a certificate that is valid now"
      )
    case .otherHost(let host):
      (
        "tls.certificate does not cover \(host), the host of the issuer",
        "name a certificate for that host, or correct the issuer"
      )
    }
  }
}
