import EngineTesting
import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine
@testable import SignInFlow

@Suite struct LanguageTests {
  @Test(
    "T-15 the first part of a tag decides the language; the rest changes nothing",
    arguments: [
      ("en", Language.english), ("en-IN", .english), ("hi", .hindi), ("hi-IN", .hindi),
      ("hi-Deva-IN", .hindi), ("HI-in", .hindi), ("nb", .norwegian), ("nb-NO", .norwegian),
      ("no", .norwegian), ("nn-NO", .norwegian), ("no-NO-x-hi", .norwegian),
    ])
  func tags(_ tag: String, _ language: Language) {
    #expect(Language(tag: tag) == language)
  }

  @Test(
    "T-15 other languages have no sentences",
    arguments: ["", "-", "fr", "da-NO", "hin", "x-hi", "e", "english", "हि"])
  func otherTags(_ tag: String) { #expect(Language(tag: tag) == nil) }

  private static let lists: [(listed: [String], language: Language)] = [
    (["hi-IN", "en"], .hindi), (["en-IN", "hi-IN"], .english),
    (["fr-FR", "nn-NO", "en"], .norwegian), (["sv-SE"], .english), ([], .english),
  ]

  @Test(
    "T-15 the first listed language that has sentences is used, or else English",
    arguments: lists.indices)
  func lookup(_ index: Int) {
    let known = Self.lists[index]

    #expect(LocalePreferences(listed: known.listed).language == known.language)
  }

  private static let customs: [(listed: [String], chosen: Language?, region: String?)] = [
    (["en", "en-IN"], nil, "IN"), (["nb-NO", "en-US"], .english, "NO"), (["hi"], nil, "IN"),
    (["nb"], nil, "NO"), (["en"], nil, nil), (["en-001"], nil, nil), (["hi-Deva-in"], nil, "IN"),
    (["en-x-us"], nil, nil),
  ]

  @Test(
    "T-15 formats are those of the first listed country, or the usual ones of the language",
    arguments: customs.indices)
  func regions(_ index: Int) {
    let known = Self.customs[index]

    #expect(LocalePreferences(listed: known.listed, chosen: known.chosen).region == known.region)
  }

  @Test("T-15 a list is read up to its limit", arguments: [31, 32, 33])
  func listLimit(_ place: Int) {
    let listed = [String](repeating: "fr", count: place - 1) + ["hi"]

    let language = LocalePreferences(listed: listed).language

    #expect(language == (place <= LocalePreferences.tagLimit ? .hindi : .english))
  }

  @Test("T-15 the server learns the displayed language and no other")
  func uiLocales() {
    #expect(LocalePreferences(listed: ["fr-FR", "hi-IN", "ta"]).uiLocales == "hi-FR hi")
    #expect(LocalePreferences(listed: ["nn"]).uiLocales == "nb-NO nb")
    #expect(LocalePreferences().uiLocales == "en")
  }

  @Test("T-15 a chosen language is stored, and the input stays")
  func choice() {
    var driver = FlowDriver.typed()
    let before = driver.flow.stage

    driver.handle(.page(.fieldEdited(.language, "nb")))

    #expect(driver.effects == [.saveLanguage(.norwegian)])
    #expect(driver.flow.context.locale.language == .norwegian)
    #expect(driver.flow.stage == before)
  }

  @Test("T-15 choosing a language during a request does not lose the answer")
  func choiceDuringRequest() {
    var driver = FlowDriver.submitting()
    let call = driver.effects

    driver.handle(.page(.fieldEdited(.language, "hi")))
    driver.effects = call
    driver.sendCode()

    #expect(driver.entry != nil)
  }

  @Test(
    "T-15 a language that is not offered changes nothing", arguments: ["", "fr", "hi-IN", "no"])
  func unknownChoice(_ tag: String) {
    var driver = FlowDriver.typed()
    let before = driver.flow

    driver.handle(.page(.fieldEdited(.language, tag)))

    #expect(driver.flow == before)
    #expect(driver.effects.isEmpty)
  }

  @Test("T-15 the last choice has priority over the device's list")
  func keptChoice() {
    #expect(LocalePreferences(listed: ["hi-IN"], chosen: .english).language == .english)
  }
}

@Suite struct WallClockTests {
  /// Norway around the end of summer time on 29 October 2023, 1:00 UTC.
  private static let change = Instant(seconds: 1_698_541_200)
  private static let norway = WallClock(
    utcOffsetSeconds: 3600,
    changes: [
      .init(at: Instant(seconds: 1_679_792_400), utcOffsetSeconds: 7200),
      .init(at: change, utcOffsetSeconds: 3600),
    ])

  @Test("T-15 summer time ends to the second")
  func summerTime() {
    let times: [(seconds: Int64, timeOfDay: Int64)] = [(-1, 10_799), (0, 7200), (1, 7201)]
    for (seconds, timeOfDay) in times {
      #expect(Self.norway.timeOfDay(of: Self.change.adding(seconds: seconds)) == timeOfDay)
    }
  }

  @Test("T-15 a day begins at local midnight, before 1970 too")
  func days() {
    let india = WallClock(utcOffsetSeconds: 19_800)
    let midnight: Int64 = 1_700_000_000 - (1_700_000_000 + 19_800) % 86_400

    #expect(india.day(of: Instant(seconds: midnight)) == 19_676)
    #expect(india.day(of: Instant(seconds: midnight - 1)) == 19_675)
    #expect(WallClock().day(of: Instant(seconds: -1)) == -1)
    #expect(WallClock().timeOfDay(of: Instant(seconds: -1)) == 86_399)
  }

  @Test("T-15 an impossible offset becomes the nearest possible one")
  func offsetLimit() {
    let limit = WallClock.offsetLimit
    for (offset, taken) in [(limit - 1, limit - 1), (limit, limit), (limit + 1, limit)] {
      for sign: Int64 in [1, -1] {
        let clock = WallClock(utcOffsetSeconds: sign * offset)
        #expect(clock.seconds(of: Instant(seconds: 0)) == sign * taken)
      }
    }
  }

  @Test("T-15 at most as many changes as the limit count", arguments: [15, 16, 17])
  func changeLimit(_ count: Int) {
    let changes = (1...count).map {
      WallClock.Change(at: Instant(seconds: Int64($0)), utcOffsetSeconds: Int64($0))
    }

    let clock = WallClock(changes: changes)

    let last = Int64(min(count, WallClock.changeLimit))
    #expect(clock.seconds(of: Instant(seconds: 100)) == 100 + last)
  }
}
