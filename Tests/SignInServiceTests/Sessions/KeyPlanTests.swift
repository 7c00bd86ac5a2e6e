import SignInService
import Testing

@Suite("Key files")
struct KeyPlanTests {
  @Test(
    "L-45 a missing key is created only for an empty store", arguments: [[], [0], [1], [0, 1]])
  func plan(missing indices: [Int]) {
    let missing = indices.map { KeyFile.allCases[$0] }

    let empty = KeyPlan(missing: missing, storeHasData: false)
    let used = KeyPlan(missing: missing, storeHasData: true)

    #expect(empty == (missing.isEmpty ? .read : .create(missing)))
    #expect(used == (missing.isEmpty ? .read : .refuse(missing)))
  }

  @Test("L-45 every key has a description of what is lost without it")
  func losses() {
    #expect(KeyFile.allCases.allSatisfy { !$0.losses.isEmpty })
    for word in ["Password", "sessions", "security log"] {
      #expect(KeyFile.master.losses.contains { $0.contains(word) })
    }
  }
}
