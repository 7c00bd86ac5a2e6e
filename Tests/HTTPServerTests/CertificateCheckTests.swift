import COpenSSL
import Glibc
import Testing

@testable import HTTPServer

@Suite("Certificate checks before a start")
struct CertificateCheckTests {
  private func mistakes(
    _ certificate: String, _ key: String, host: String? = nil, after seconds: Int64 = 0
  ) throws -> [CertificateMistake] {
    let fixture = try TLSFixture()
    return fixture.settings(certificate: certificate, key: key)
      .mistakes(host: host, unixSeconds: Int64(time(nil)) + seconds)
  }

  @Test(
    "P-09 Both unusable files are reported at once",
    arguments: [
      ("certificate.pem", "key.pem", []),
      ("certificate.pem", "other-key.pem", [.keyDoesNotMatchCertificate]),
      ("rubbish.pem", "key.pem", [.certificateUnreadable]),
      ("certificate.pem", "rubbish.pem", [.keyUnreadable]),
      (
        "missing.pem", "missing.pem",
        [.certificateFileUnavailable(errno: ENOENT), .keyFileUnavailable(errno: ENOENT)]
      ),
    ] as [(String, String, [CertificateMistake])])
  func files(certificate: String, key: String, expected: [CertificateMistake]) throws {
    #expect(try mistakes(certificate, key) == expected)
  }

  @Test(
    "P-09 A certificate is valid from its first second to its last",
    arguments: [
      (99, [.notYetValid(from: 100)]), (100, []), (101, []), (199, []), (200, []),
      (201, [.expired(at: 200)]),
    ] as [(Int64, [CertificateMistake])])
  func period(now: Int64, expected: [CertificateMistake]) {
    let found = HTTPServerConfiguration.TLS.timeMistakes(from: 100, through: 200, now: now)

    #expect(found == expected)
  }

  @Test("P-09 The times of a certificate are read from its file")
  func times() throws {
    let early = try mistakes("certificate.pem", "key.pem", after: -3600)
    let late = try mistakes("certificate.pem", "key.pem", after: 2 * 3600)

    guard case .notYetValid(let first)? = early.first, case .expired(let last)? = late.first else {
      Issue.record("\(early) \(late)")
      return
    }
    #expect(early.count == 1 && late.count == 1)
    // The fixture's certificate is valid from one minute ago until one hour from now.
    #expect(abs(first - Int64(time(nil)) + 60) < 30)
    // The fixture reads the clock twice.
    #expect((3660...3690).contains(last - first))
  }

  @Test(
    "P-09 A certificate covers its alternative names and addresses, never its subject",
    arguments: [
      ("named.pem", "login.example.com", true), ("named.pem", "a.apps.example.com", true),
      ("named.pem", "apps.example.com", false), ("named.pem", "example.com", false),
      ("named.pem", "127.0.0.1", true), ("named.pem", "127.0.0.2", false),
      ("named.pem", "localhost", false), ("certificate.pem", "localhost", false),
    ])
  func hosts(certificate: String, host: String, isCovered: Bool) throws {
    let key = certificate == "named.pem" ? "named-key.pem" : "key.pem"

    let found = try mistakes(certificate, key, host: host)

    #expect(found == (isCovered ? [] : [.otherHost(host)]))
  }
}
