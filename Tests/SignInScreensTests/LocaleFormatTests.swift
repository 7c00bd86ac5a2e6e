import SignInEngine
import SignInFlow
import SignInModel
import Testing

@testable import SignInScreens
@testable import SignInWire

/// The formats for a person with this language and country.
private func format(_ tag: String, utcOffsetSeconds: Int64 = 0) -> LocaleFormat {
  LocaleFormat(
    locale: LocalePreferences(listed: [tag]),
    wallClock: WallClock(utcOffsetSeconds: utcOffsetSeconds))
}

@Suite struct LocaleFormatTests {
  /// Wednesday 15 November 2023, 14:05:00 UTC.
  private let afternoon = Instant(seconds: 1_700_057_100)

  @Test(
    "T-15 the time of day has the format of the person's country",
    arguments: [
      ("en-GB", "14:05"), ("en-US", "2:05\u{A0}pm"), ("en-IN", "2:05\u{A0}pm"),
      ("en", "2:05\u{A0}pm"), ("en-DE", "14:05"), ("hi-IN", "दोपहर\u{A0}2:05"),
      ("hi", "दोपहर\u{A0}2:05"), ("nb-NO", "14:05"), ("nb-US", "14:05"),
    ])
  func clock(_ tag: String, _ text: String) {
    #expect(format(tag).clock(afternoon) == text)
  }

  private static let hours: [(Int64, String, String)] = [
    (0, "रात\u{A0}12:00", "12:00\u{A0}am"), (3, "रात\u{A0}3:00", "3:00\u{A0}am"),
    (4, "सुबह\u{A0}4:00", "4:00\u{A0}am"), (11, "सुबह\u{A0}11:00", "11:00\u{A0}am"),
    (12, "दोपहर\u{A0}12:00", "12:00\u{A0}pm"), (15, "दोपहर\u{A0}3:00", "3:00\u{A0}pm"),
    (16, "शाम\u{A0}4:00", "4:00\u{A0}pm"), (19, "शाम\u{A0}7:00", "7:00\u{A0}pm"),
    (20, "रात\u{A0}8:00", "8:00\u{A0}pm"), (23, "रात\u{A0}11:00", "11:00\u{A0}pm"),
  ]

  @Test("T-15 every part of the day begins at its hour")
  func partsOfTheDay() {
    for (hour, hindi, english) in Self.hours {
      let moment = Instant(seconds: hour * 3600)
      #expect(format("hi-IN").clock(moment) == hindi)
      #expect(format("en-US").clock(moment) == english)
    }
  }

  @Test("T-15 hours and minutes have two digits in the 24-hour format")
  func twoDigits() {
    #expect(format("nb-NO").clock(Instant(seconds: 0)) == "00:00")
    #expect(format("nb-NO").clock(Instant(seconds: 9 * 3600 + 540)) == "09:09")
    #expect(format("nb-NO").clock(Instant(seconds: 86_399)) == "23:59")
  }

  @Test("T-15 times are in the person's time zone")
  func place() {
    #expect(format("en-GB", utcOffsetSeconds: 19_800).clock(afternoon) == "19:35")
    #expect(format("en-GB", utcOffsetSeconds: 12 * 3600).day(afternoon) == "Thursday 16 November")
  }

  @Test(
    "T-15 days and dates have the order of the language",
    arguments: [
      ("en-GB", "Wednesday 15 November", "15 November 2023", "15 November 2023, 14:05"),
      (
        "en-US", "Wednesday, November 15", "November 15, 2023",
        "November 15, 2023, 2:05\u{A0}pm"
      ),
      ("hi-IN", "बुधवार, 15 नवंबर", "15 नवंबर 2023", "15 नवंबर 2023, दोपहर\u{A0}2:05"),
      ("nb-NO", "Onsdag 15. november", "15. november 2023", "15. november 2023 kl. 14:05"),
    ])
  func dates(_ tag: String, _ day: String, _ date: String, _ dateAndTime: String) {
    #expect(format(tag).day(afternoon) == day)
    #expect(format(tag).date(afternoon) == date)
    #expect(format(tag).dateAndTime(afternoon) == dateAndTime)
  }

  private static let calendar: [(Int64, String)] = [
    (-1, "31 December 1969"), (0, "1 January 1970"), (58, "28 February 1970"),
    (59, "1 March 1970"), (789, "29 February 1972"), (790, "1 March 1972"),
    (11_016, "29 February 2000"), (11_017, "1 March 2000"), (19_722, "31 December 2023"),
    (19_723, "1 January 2024"), (47_540, "28 February 2100"), (47_541, "1 March 2100"),
    (-719_468, "1 March 0"), (-719_469, "29 February 0"),
  ]

  @Test("T-15 days around leap days and the end of the year are right")
  func leapDays() {
    for (days, date) in Self.calendar {
      #expect(format("en-GB").date(CalendarDay(number: days)) == date)
    }
  }

  @Test("T-15 every day of a week has its name, before and after 1970")
  func weekdays() {
    let names = (-3...3).map { day in
      format("nb").day(Instant(seconds: day * 86_400)).split(separator: " ").first ?? ""
    }

    #expect(
      names == ["Mandag", "Tirsdag", "Onsdag", "Torsdag", "Fredag", "Lørdag", "Søndag"])
  }

  private static let grouped: [(Int64, String, String, String)] = [
    (0, "0", "0", "0"), (999, "999", "999", "999"),
    (1000, "1,000", "1,000", "1\u{A0}000"), (99_999, "99,999", "99,999", "99\u{A0}999"),
    (100_000, "100,000", "1,00,000", "100\u{A0}000"),
    (1_234_567, "1,234,567", "12,34,567", "1\u{A0}234\u{A0}567"),
    (123_456_789, "123,456,789", "12,34,56,789", "123\u{A0}456\u{A0}789"),
    (-1234, "−1,234", "−1,234", "−1\u{A0}234"),
  ]

  @Test("T-15 numbers are grouped according to the language")
  func numbers() {
    for (value, english, lakhs, norwegian) in Self.grouped {
      #expect(format("en-GB").number(value) == english)
      #expect(format("hi").number(value) == lakhs)
      #expect(format("en-IN").number(value) == lakhs)
      #expect(format("nb").number(value) == norwegian)
    }
  }

  @Test("T-15 the largest possible numbers can be written")
  func extremes() {
    #expect(format("en").number(.max) == "9,223,372,036,854,775,807")
    #expect(format("en").number(.min) == "−9,223,372,036,854,775,808")
  }
}

@Suite struct SpokenLanguageTests {
  @Test("T-15 a screen names its language and offers every other language by its own name")
  func menu() {
    var driver = ScreenDriver.credentials()
    #expect(driver.screen.language == "en")
    #expect(driver.screen.languageMenu?.chosen == "en")
    #expect(driver.screen.languageMenu?.choices.map(\.name) == ["English", "हिन्दी", "Norsk"])

    driver.handle(.page(.fieldEdited(.language, "hi")))

    #expect(driver.screen.language == "hi")
    #expect(driver.screen.languageMenu?.label == "भाषा")
    #expect(driver.screen.title == "साइन इन करें – Fieldpass")
    #expect(driver.button(.login)?.label == "लॉगिन करें")
  }

  @Test("T-15 announcements are in the language of the screen")
  func announcement() {
    var driver = ScreenDriver.submitting()
    let call = driver.output
    driver.handle(.page(.fieldEdited(.language, "nb")))
    driver.output = call
    driver.refuse(.init(.invalidCredentials))

    #expect(driver.banner?.text == "Feil e-post eller passord")
    #expect(driver.spoken.first?.text == driver.banner?.text)
  }

  @Test("T-15 sentences with a count have a singular in every language")
  func counting() {
    let expected: [(Language, String, String)] = [
      (.english, "1 parcel", "1,200 parcels"), (.hindi, "1 पार्सल", "1,200 पार्सल"),
      (.norwegian, "1 pakke", "1\u{A0}200 pakker"),
    ]
    for (language, one, many) in expected {
      var driver = ScreenDriver()
      driver.handle(
        .started(
          utcOffsetSeconds: 0, locale: LocalePreferences(listed: ["en-GB"], chosen: language)))
      let localizer = Localizer(driver.flow.context)
      #expect(localizer.say(.parcels, one: .parcel, count: 1) == one)
      #expect(localizer.say(.parcels, one: .parcel, count: 1200) == many)
    }
  }

  @Test("R-07 the list of countries is in the person's language")
  func countries() {
    var driver = RiderScreenDriver.rider()
    driver.handle(.page(.fieldEdited(.language, "nb")))
    guard case .phone(let country, let picker, _)? = driver.field(.phone)?.kind else {
      Issue.record("no number field")
      return
    }

    #expect(country == Country.standard)
    #expect(picker.search == "Søk etter land")
  }

  @Test(
    "A serial number is shown in groups of four characters",
    arguments: [
      ("", []), ("ABC", ["ABC"]), ("ABCD", ["ABCD"]), ("ABCD1", ["ABCD", "1"]),
      ("ÆØÅ-12345", ["ÆØÅ-", "1234", "5"]),
    ])
  func serialNumber(_ number: String, _ groups: [String]) {
    #expect(Localizer.groups(of: number) == groups)
  }
}
