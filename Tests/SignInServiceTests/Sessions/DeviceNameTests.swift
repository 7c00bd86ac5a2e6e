import SignInService
import SignInWire
import Testing

@Suite("Names of devices")
struct DeviceNameTests {
  private static let mozilla = "Mozilla/5.0 "
  private static let phone = "(iPhone; CPU iPhone OS 18_6 like Mac OS X)"
  private static let webKit = " AppleWebKit/537.36 (KHTML, like Gecko) "

  @Test(
    "S-08 a user agent gives the names of the browser and the system",
    arguments: [
      ("(Windows NT 10.0; Win64; x64)\(webKit)Chrome/142.0.0.0 Safari/537.36", "Chrome", "Windows"),
      (
        "(Windows NT 10.0; Win64; x64)\(webKit)Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0",
        "Edge", "Windows"
      ),
      ("(X11; CrOS x86_64 14541.0.0)\(webKit)Chrome/142.0 Safari/537.36", "Chrome", "ChromeOS"),
      (
        "(Linux; Android 10; K)\(webKit)SamsungBrowser/28.0 Chrome/130.0 Mobile Safari/537.36",
        "Samsung Internet", "Android"
      ),
      ("\(phone)\(webKit)Version/26.0 Mobile/15E148 Safari/604.1", "Safari", "iPhone"),
      ("\(phone)\(webKit)CriOS/142.0 Safari/604.1", "Chrome", "iPhone"),
      ("(X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox", "Linux"),
      ("(Macintosh; Intel Mac OS X 10_15_7)\(webKit)Version/26.0 Safari/605.1.15", "Safari", "Mac"),
      ("(Windows NT 6.1; Trident/7.0; rv:11.0) like Gecko", nil, "Windows"),
    ] as [(String, String?, String?)])
  func known(_ rest: String, _ browser: String?, _ system: String?) {
    #expect(
      DeviceName(userAgent: Self.mozilla + rest) == DeviceName(browser: browser, system: system))
  }

  @Test("Nothing is known of other programs", arguments: ["", "curl/8.5.0", "Windo\u{77}s\u{301}"])
  func unknown(_ userAgent: String) {
    #expect(DeviceName(userAgent: userAgent) == nil)
  }

  @Test("A user agent above the limit is not read")
  func limit() {
    let agent = "Firefox/" + String(repeating: "1", count: DeviceName.userAgentByteLimit - 8)
    #expect(DeviceName(userAgent: agent)?.browser == "Firefox")
    #expect(DeviceName(userAgent: agent + "1") == nil)
  }
}
