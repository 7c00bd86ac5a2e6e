import SignInModel
import Testing

@testable import SignInService

@Suite("Photos that wait for their check")
struct PictureCleaningTests {
  @Test("L-49 one sender has at most half of the places for photos")
  func senders() {
    let cleaning = PictureCleaning()
    let (north, south) = (ClientID("north-system"), ClientID("south-system"))

    for _ in 0..<PictureCleaning.senderLimit { #expect(cleaning.enter(north)) }
    #expect(!cleaning.enter(north))
    #expect(cleaning.enter(south) && cleaning.enter(nil))
    cleaning.leave(north)
    #expect(cleaning.enter(north) && !cleaning.enter(north))
    #expect(PictureCleaning.senderLimit * 2 == PictureCleaning.queueLimit)
  }
}
