import Testing

@testable import SignInService

@Suite("Addresses of proofs")
struct ProofAddressTests {
  private static let address = "https://id.example.com/oauth/token"

  @Test(
    "RFC 9449 section 4.3: htu is compared after normalization, without query and fragment",
    arguments: [
      address, "HTTPS://ID.Example.com/oauth/token", "https://id.example.com:443/oauth/token",
      "https://id.example.com:/oauth/token", "https://id.example.com/oauth/token?a=b",
      "https://id.example.com/oauth/token#c", "https://id.example.com/oauth/token?",
      "https://id.example.com/%6fauth/t%6Fken", "https://id.example.com/a/../oauth/./token",
    ])
  func same(_ text: String) { #expect(ProofAddress.isSame(text, Self.address)) }

  @Test(
    "RFC 9449 section 4.3: another scheme, host, port or path is another address",
    arguments: [
      "", "/oauth/token", "http://id.example.com/oauth/token", "https://id.example.com/oauth/Token",
      "https://id.example.com:444/oauth/token", "https://id.example.com:80/oauth/token",
      "https://id.example.com/oauth/token/", "https://id.example.com/oauth%2Ftoken",
      "https://u@id.example.com/oauth/token", "https://id.example.com.evil.example/oauth/token",
      "https://id.example.com/oauth/tok%zz", "https://id.example.com/oauth/token ",
      "https://id.example.c\u{F6}m/oauth/token", "https:id.example.com/oauth/token",
      "https:///oauth/token", "https://id.example.com:4a3/oauth/token",
    ])
  func other(_ text: String) { #expect(!ProofAddress.isSame(text, Self.address)) }

  @Test("RFC 9449 section 4.3: an escaped character that must stay escaped has one spelling")
  func escapes() {
    #expect(
      ProofAddress.isSame("http://x/admin/a%2fb%3A", "http://x:80/admin/a%2Fb%3a"))
    #expect(!ProofAddress.isSame("http://x/a%3Ab", "http://x/a:b"))
    #expect(ProofAddress.isSame("http://[::1]:80", "http://[::1]/"))
    #expect(ProofAddress.isSame("http://x/a/b/..", "http://x/a/"))
    #expect(ProofAddress.isSame("http://x/../../a", "http://x/a"))
  }
}
