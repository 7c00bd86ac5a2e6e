import EngineTesting
import Testing

@testable import SignInEngine
@testable import SignInFlow

@Suite("Amounts of money in the console")
struct MoneyTextTests {
  @Test(
    "T-16 an amount is written with two decimals, or with as many as it needs",
    arguments: [
      (0, "0.00"), (1, "0.000001"), (500_000, "0.50"), (1_000_000, "1.00"),
      (1_234_500, "1.2345"), (1_000_000_000, "1000.00"), (999_999_999_999, "999999.999999"),
      (1_000_000_000_000, "1000000.00"),
    ] as [(Int64, String)]
  )
  func written(_ amount: Int64, _ text: String) {
    #expect(MoneyText.write(amount, in: .english) == text)
    #expect(MoneyText.write(amount, in: .hindi) == text)
    #expect(MoneyText.write(amount, in: .norwegian) == text.replacing(".", with: ","))
  }

  @Test("T-16 what is written is read again without loss", arguments: Language.allCases)
  func roundTrip(_ language: Language) {
    for amount: Int64 in [
      0, 1, 9, 10, 999_999, 1_000_000, 1_000_001, 123_456_789_012, 1_000_000_000_000, .max,
    ] {
      #expect(MoneyText.read(MoneyText.write(amount, in: language), in: language) == amount)
    }
  }

  @Test(
    "T-16 an amount is read as people write it in their language",
    arguments: [
      ("1000", .english, 1_000_000_000), ("1,000.00", .english, 1_000_000_000),
      ("1 000.5", .english, 1_000_500_000), ("1.", .english, 1_000_000),
      ("1,00,000", .hindi, 100_000_000_000), ("12,34,567.89", .english, 1_234_567_890_000),
      ("1\u{00A0}000,00", .norwegian, 1_000_000_000), ("1,5", .norwegian, 1_500_000),
      ("1,000", .norwegian, 1_000_000), ("0.000001", .english, 1),
      ("9223372036854.775807", .english, .max),
    ] as [(String, Language, Int64)]
  )
  func read(_ text: String, _ language: Language, _ amount: Int64) {
    #expect(MoneyText.read(text, in: language) == amount)
  }

  @Test(
    "T-16 an amount that is unclear, too fine or too great is refused",
    arguments: [
      ("", .english), (".", .english), (".5", .english), ("1,5", .english), ("1,00", .english),
      ("1,0000", .english), ("1,0,000", .english), (",000", .english), ("1.000.000", .english),
      ("1.0,000", .english), ("1.0000001", .english), ("-1", .english), ("1e3", .english),
      ("kr 5", .english), ("9223372036854.775808", .english), ("99999999999999999999", .english),
      ("1.5", .norwegian), ("1,000,000", .norwegian), ("1.000,00", .norwegian), ("१", .hindi),
    ] as [(String, Language)]
  )
  func refused(_ text: String, _ language: Language) {
    #expect(MoneyText.read(text, in: language) == nil)
  }
}
