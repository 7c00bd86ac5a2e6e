import SignInRules
import Testing

@Suite("Refresh rotation across organizations")
struct SwitchRotationTests {
  @Test("S-05 the token used for a switch leads to the new session until that session is used")
  func switched() {
    let newest = RefreshRotation.newestAfterSwitch(presented: 7)

    let unused = (6...9).map {
      RefreshRotation.verdict(presented: $0, newest: newest, successorNewest: 0)
    }
    let used = RefreshRotation.verdict(presented: 7, newest: newest, successorNewest: 1)

    #expect(unused == [.reuse, .follow, .follow, .unknown])
    #expect(used == .reuse)
  }
}
