import SignInModel
import SignInWire
import Testing

@testable import SignInEngine
@testable import SignInFlow
@testable import SignInScreens

@Suite("The page of one job or delivery")
struct WorkScreenTests {
  @Test(
    "L-54 the link to call has the number in its normal form, and other text has no link",
    arguments: [
      ("+4722001041", "tel:+4722001041"), ("+47 22 00 10 41", "tel:+4722001041"),
      ("+44 (0)7700 900123", "tel:+447700900123"), ("22 00 10 41", nil),
      ("+47 22 00 10 41 or 42", nil), ("ask at the desk", nil),
    ] as [(String, String?)])
  func numberToCall(_ text: String, _ address: String?) {
    var context = FlowContext()
    context.setApp(.console, page: "page")
    context.setLocale(LocalePreferences(chosen: .english), WallClock())
    context.setTime(at: ScreenDriver.startTime)

    let part = Localizer(context).number(toCall: text)

    guard case .fact(_, _, let shown, let link) = part else {
      Issue.record("the number is no fact")
      return
    }
    #expect(shown == Phrase([.unbroken(text)]) && link?.address == address)
  }
}
