import SignInModel
import SignInTesting
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
}
