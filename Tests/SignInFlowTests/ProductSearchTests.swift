import EngineTesting
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine
@testable import SignInFlow

/// An owner searches the products by words, also by the words of a warranty status.
@Suite struct ProductSearchTests {
  /// Products whose warranty ends the given number of days from today.
  private func owner(of days: [String: Int64], _ language: Language = .english) -> Owner {
    var owner = Owner()
    owner.open()
    let today = CalendarDay(owner.driver.time)
    owner.sync(
      days.map { name, days in
        ProductEntry(
          id: ProductID(name), name: name, model: "M", serialNumber: "S", category: "Thing",
          warrantyProvider: nil, purchasedOn: nil, warrantyExpiresOn: today.adding(days: days))
      })
    owner.handle(.page(.fieldEdited(.language, Secret(language.rawValue))))
    return owner
  }

  private func found(_ text: String, by owner: Owner) -> [String] {
    var owner = owner
    owner.handle(.page(.fieldEdited(.search, Secret(text))))
    return owner.home.kept.list.window(at: 0).items.map(\.name)
  }

  @Test("O-01 a word of a warranty status finds products with that status, in each language")
  func status() {
    for (language, text) in [
      (Language.english, "Expired"), (.english, "exp oven"), (.norwegian, "UTLØPT"),
      (.hindi, "खत्म हो"),
    ] {
      let owner = owner(of: ["Oven": -1, "Kettle": 300], language)
      #expect(found(text, by: owner) == ["Oven"], "\(text)")
    }
  }

  @Test("O-01 a name with a word of a status is found too")
  func name() {
    let owner = owner(of: ["Expired box": 300, "Oven": -1, "Kettle": 300])
    #expect(found("expired", by: owner) == ["Expired box", "Oven"])
  }

  @Test("O-01 a word names a status if it has at least three letters")
  func shortestWord() {
    let owner = owner(of: ["Expired box": 300, "Oven": -1])
    #expect(found("ex", by: owner) == ["Expired box"])
    #expect(found("exp", by: owner) == ["Expired box", "Oven"])
    #expect(found("expi", by: owner) == ["Expired box", "Oven"])
  }

  @Test("O-01 the words of a status follow the day, also while the search is open")
  func nextDay() {
    var owner = owner(of: ["Oven": 0])
    owner.handle(.page(.fieldEdited(.search, Secret("expired"))))
    #expect(owner.home.kept.list.shownCount == 0)
    owner.driver.time = owner.driver.time.adding(seconds: CalendarDay.daySeconds)
    owner.handle(.ticked)
    #expect(owner.home.kept.list.shownCount == 1)
  }

  @Test(
    "O-02 a warranty is valid on its last day, by the day of the person",
    arguments: [
      (-8, ["Kettle"]), (0, ["Kettle", "Oven"]), (9, ["Kettle", "Lamp", "Oven"]),
    ] as [(Int64, [String])])
  func lastDay(_ hours: Int64, _ expired: [String]) {
    var owner = Owner()
    owner.utcOffsetSeconds = hours * 3600
    // Three at night in UTC; six in the evening for the last case.
    let midnight = CalendarDay(owner.driver.time).number * CalendarDay.daySeconds
    owner.driver.time = Instant(seconds: midnight + 27 * 3600)
    owner.open()
    let today = CalendarDay(owner.driver.time)
    let ends: [String: Int64] = ["Kettle": -2, "Oven": -1, "Lamp": 0]
    owner.sync(
      ends.map { name, days in
        ProductEntry(
          id: ProductID(name), name: name, model: "M", serialNumber: "S", category: "Thing",
          warrantyProvider: nil, purchasedOn: nil, warrantyExpiresOn: today.adding(days: days))
      })
    if hours == 9 { owner.driver.time = owner.driver.time.adding(seconds: 15 * 3600) }
    owner.handle(.ticked)
    #expect(found("expired", by: owner) == expired)
    owner.handle(.home(.itemPressed(.filterProducts, item: "expired")))
    #expect(owner.home.kept.list.window(at: 0).items.map(\.name) == expired)
  }

  @Test(
    "L-54 words are found in any order and without marks, and numbers without their hyphens",
    arguments: [
      "jose eide", "EIDE  José", "Jose\u{301}", "eide\u{A0}jose", "sn12-34", "sn 1234", "SN1 23",
    ])
  func words(_ text: String) {
    var owner = Owner()
    owner.open()
    owner.sync([
      ProductEntry(
        id: ProductID("1"), name: "José Eide", model: "M", serialNumber: "SN-12 34",
        category: "Thing", warrantyProvider: nil, purchasedOn: nil, warrantyExpiresOn: nil)
    ])
    #expect(found(text, by: owner) == ["José Eide"])
    #expect(found(text + " x", by: owner).isEmpty)
  }
}
