internal import COpenSSL
internal import Glibc

/// A mistake in the TLS files, found before the server starts, that would keep apps from trusting
/// it.
public enum CertificateMistake: Error, Equatable, Sendable {
  /// The file could not be opened, with the system's `errno`.
  case certificateFileUnavailable(errno: Int32)
  case keyFileUnavailable(errno: Int32)
  /// The file contains no PEM certificate.
  case certificateUnreadable
  /// The file contains no PEM private key.
  case keyUnreadable
  case keyDoesNotMatchCertificate
  /// The certificate is valid from this moment, in Unix seconds.
  case notYetValid(from: Int64)
  /// The certificate was valid until this moment, included, in Unix seconds.
  case expired(at: Int64)
  /// The certificate names only other hosts.
  case otherHost(String)
}

extension HTTPServerConfiguration.TLS {
  /// Every mistake in the two files.
  ///
  /// `host` is the name or address that clients use, if known.
  public func mistakes(host: String?, unixSeconds: Int64) -> [CertificateMistake] {
    ERR_clear_error()
    defer { ERR_clear_error() }
    var mistakes: [CertificateMistake] = []
    let certificateFault = Self.openingFault(certificateFile)
    let keyFault = Self.openingFault(keyFile)
    let certificate = Self.readCertificate(certificateFile)
    defer { X509_free(certificate) }
    let key = Self.readKey(keyFile)
    defer { EVP_PKEY_free(key) }
    if let certificate {
      mistakes += Self.timeMistakes(
        from: Self.seconds(X509_get0_notBefore(certificate)),
        through: Self.lastSecond(of: certificate), now: unixSeconds
      )
      if let host, !Self.covers(certificate, host) { mistakes.append(.otherHost(host)) }
    } else {
      mistakes.append(
        certificateFault.map { .certificateFileUnavailable(errno: $0) } ?? .certificateUnreadable)
    }
    if key == nil {
      mistakes.append(keyFault.map { .keyFileUnavailable(errno: $0) } ?? .keyUnreadable)
    }
    if let certificate, let key, X509_check_private_key(certificate, key) != 1 {
      mistakes.append(.keyDoesNotMatchCertificate)
    }
    return mistakes
  }

  /// The last second of the certificate's validity; `nil` if the file contains no certificate.
  public var certificateValidThrough: Int64? {
    let certificate = Self.readCertificate(certificateFile)
    defer { X509_free(certificate) }
    return certificate.map { Self.lastSecond(of: $0) }
  }

  /// The `errno` of opening a file, or `nil` if it can be opened.
  private static func openingFault(_ path: String) -> Int32? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return errno }
    close(file)
    return nil
  }

  /// The last second of a certificate's validity.
  static func lastSecond(of certificate: OpaquePointer?) -> Int64 {
    seconds(X509_get0_notAfter(certificate))
  }

  /// RFC 5280, section 4.1.2.5: the period includes both ends.
  static func timeMistakes(
    from first: Int64, through last: Int64, now: Int64
  ) -> [CertificateMistake] {
    if now < first { return [.notYetValid(from: first)] }
    return now > last ? [.expired(at: last)] : []
  }

  /// Reads the first certificate of a chain, which is the server's own.
  private static func readCertificate(_ path: String) -> OpaquePointer? {
    guard let file = BIO_new_file(path, "r") else { return nil }
    defer { BIO_free(file) }
    return PEM_read_bio_X509(file, nil, nil, nil)
  }

  private static func readKey(_ path: String) -> OpaquePointer? {
    guard let file = BIO_new_file(path, "r") else { return nil }
    defer { BIO_free(file) }
    // There is no terminal for a passphrase, so that a key with one is unreadable.
    return PEM_read_bio_PrivateKey(file, nil, { _, _, _, _ in -1 }, nil)
  }

  /// RFC 9525, section 6.3: names are compared only with the alternative names, never with the
  /// subject.
  private static func covers(_ certificate: OpaquePointer, _ host: String) -> Bool {
    if X509_check_ip_asc(certificate, host, 0) == 1 { return true }
    let flags = UInt32(X509_CHECK_FLAG_NEVER_CHECK_SUBJECT)
    return X509_check_host(certificate, host, host.utf8.count, flags, nil) == 1
  }

  /// Unix seconds.
  ///
  /// An unreadable time counts as long past.
  private static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64 {
    var parts = tm()
    guard ASN1_TIME_to_tm(time, &parts) == 1 else { return 0 }
    return Int64(timegm(&parts))
  }
}
