import SignInModel
import Testing

@testable import TextMessengers

/// Signatures of vendors, compared with vectors from the vendors' own libraries.
@Suite("Vendors' signatures")
struct SignatureTests {
  /// 1 April 2024, 06:22:03 UTC.
  private let moment = Instant(seconds: 1_711_952_523)

  @Test("Moments are written in the vendors' formats")
  func calendar() {
    #expect(CalendarTime(moment).httpDate == "Mon, 01 Apr 2024 06:22:03 GMT")
    #expect(CalendarTime(moment).stamp == "20240401T062203Z")
    #expect(CalendarTime(Instant(seconds: 951_782_400)).httpDate == "Tue, 29 Feb 2000 00:00:00 GMT")
    #expect(CalendarTime(Instant(seconds: 0)).httpDate == "Thu, 01 Jan 1970 00:00:00 GMT")
  }

  @Test("T-17 Azure Communication Services: the vendor's test vector")
  func azure() throws {
    let key = try #require([UInt8](base64: "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="))
    let body = """
      {"from":"+18001110000","smsRecipients":[{"to":"+4791234567","repeatabilityRequestId":\
      "fda6d242-46aa-4247-8bf6-619a1206f9c3","repeatabilityFirstSent":\
      "Mon, 01 Apr 2024 06:22:03 GMT"}],"message":"123456 is your code",\
      "smsSendOptions":{"enableDeliveryReport":true,"tag":"t1"}}
      """

    let fields = AzureSignature(key: key, at: moment).fields(
      path: AzureMessenger.path, host: "contoso.communication.azure.com", body: Array(body.utf8)
    )

    #expect(fields[1].value == "hCH6JLPK/1G3rO4OQfwhWd/bLF4/at9YKvFGpeVvIvg=")
    #expect(
      fields[2].value
        == "HMAC-SHA256 SignedHeaders=x-ms-date;host;x-ms-content-sha256&Signature="
        + "+rSPPiqC/O3tXhb2w14IOAwSXJkYRaEB4lV5ney3ZQo="
    )
  }

  @Test("R-12 AWS Signature Version 4: the test vector of botocore")
  func amazon() {
    let body =
      "Action=Publish&Message=123456%20is%20your%20code&MessageAttributes.entry.1.Name="
      + "AWS.SNS.SMS.SMSType&MessageAttributes.entry.1.Value.DataType=String"
      + "&MessageAttributes.entry.1.Value.StringValue=Transactional"
      + "&PhoneNumber=%2B919812345678&Version=2010-03-31"

    let signature = AWSSignature(
      keyID: "AKIDEXAMPLE", secret: Array("wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY".utf8),
      region: "ap-south-1", service: "sns", at: moment
    ).signature(host: "sns.ap-south-1.amazonaws.com", body: Array(body.utf8))

    #expect(signature == "2504628ea33ea0ebe7d385cf482a5f29178db1c128343cb1f1c5b46c15983b28")
  }

  @Test("A form is escaped as AWS signs it")
  func form() {
    let body = FormBody.encode([("Message", "123456 is your code"), ("PhoneNumber", "+91~é")])

    #expect(
      String(decoding: body, as: UTF8.self)
        == "Message=123456%20is%20your%20code&PhoneNumber=%2B91~%C3%A9")
  }

  @Test("Base64 is encoded and decoded, and other than the standard form is refused")
  func base64() {
    for bytes: [UInt8] in [[], [0], [255, 254], [251, 255, 191], [1, 2, 3, 4]] {
      #expect([UInt8](base64: bytes.base64) == bytes)
    }
    for text in ["A", "AA", "AA=", "A===", "-_==", "AAAA=", "AB=="] {
      #expect([UInt8](base64: text) == nil, "\(text)")
    }
  }
}
