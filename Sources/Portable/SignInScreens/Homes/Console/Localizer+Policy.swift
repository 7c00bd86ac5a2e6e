import JSONText
import SignInFlow
import SignInModel
import SignInWire

/// Groups of related policy values.
enum PolicyGroup: String, CaseIterable {
  case accounts
  case codes
  case locks
  case origins
  case messages
  case texts
  case sessions

  init(_ key: PolicyKey) {
    switch key {
    case .disclosure, .passwordReset, .passwordResetWait: self = .accounts
    case .codeDigits, .codeLife, .codeResend: self = .codes
    case .lockoutFailures, .firstLock, .longestLock, .lockoutStop: self = .locks
    case .addressSends, .addressFailures, .deviceSends: self = .origins
    case .numberHourly, .numberDaily, .prefixDaily, .organizationDaily, .appDaily, .priceDaily,
      .brakeAfter, .brakePercent, .countries:
      self = .messages
    case .signInText, .signInEnglish, .signInHindi, .signInNorwegian, .resetText, .resetEnglish,
      .resetHindi, .resetNorwegian:
      self = .texts
    case .accessToken, .session, .idle, .background, .unlock, .offline: self = .sessions
    }
  }
}

/// The names of policy groups and policy values in the console.
extension Localizer {
  func title(of group: PolicyGroup) -> String {
    switch group {
    case .accounts: say(.groupAccounts)
    case .codes: say(.groupCodes)
    case .locks: say(.groupLocks)
    case .origins: say(.groupOrigins)
    case .messages: say(.groupMessages)
    case .texts: say(.groupTexts)
    case .sessions: say(.groupSessions)
    }
  }

  func name(of key: PolicyKey) -> String {
    switch key {
    case .disclosure: say(.disclosure)
    case .codeDigits: say(.codeDigits)
    case .codeLife: say(.codeLife)
    case .codeResend: say(.codeWait)
    case .lockoutFailures: say(.failuresBeforeLock)
    case .firstLock: say(.firstLock)
    case .longestLock: say(.longestLock)
    case .lockoutStop: say(.lockoutStop)
    case .addressSends: say(.addressSends)
    case .addressFailures: say(.addressFailures)
    case .deviceSends: say(.deviceSends)
    case .numberHourly: say(.messagesPerHour)
    case .numberDaily: say(.numberDaily)
    case .prefixDaily: say(.prefixDaily)
    case .organizationDaily: say(.organizationDaily)
    case .appDaily: say(.appDaily)
    case .priceDaily: say(.priceDaily)
    case .brakeAfter: say(.brakeAfter)
    case .brakePercent: say(.brakePercent)
    case .countries: say(.countries)
    case .signInText: say(.signInText)
    case .signInEnglish: text(.signInTextIn, .english)
    case .signInHindi: text(.signInTextIn, .hindi)
    case .signInNorwegian: text(.signInTextIn, .norwegian)
    case .resetText: say(.resetText)
    case .resetEnglish: text(.resetTextIn, .english)
    case .resetHindi: text(.resetTextIn, .hindi)
    case .resetNorwegian: text(.resetTextIn, .norwegian)
    case .accessToken: say(.accessToken)
    case .session: say(.sessionLife)
    case .idle: say(.sessionIdle)
    case .background: say(.sessionBackground)
    case .unlock: say(.unlockRule)
    case .offline: say(.offlineReading)
    case .passwordReset: say(.passwordResetRule)
    case .passwordResetWait: say(.passwordResetWait)
    }
  }

  private func text(_ sentence: ConsoleSentence, _ language: Language) -> String {
    say(sentence, [(name: "language", value: language.ownName)])
  }

  // MARK: Values

  func words(_ json: JSON, of key: PolicyKey) -> String {
    switch json {
    case .int(let number): words(number, of: key)
    case .string(let text): word(text)
    case .array(let codes): list(codes)
    case .null, .bool, .decimal, .object: key == .countries ? say(.noCountries) : say(.standardText)
    }
  }

  private func words(_ number: Int64, of key: PolicyKey) -> String {
    if key.isTime { return duration(number) }
    if key.isMoney { return format.amount(number) }
    guard key == .brakePercent else { return format.number(number) }
    return say(.percent, [(name: "count", value: format.number(number))])
  }

  /// A word of a choice as text, or the message template itself.
  private func word(_ text: String) -> String {
    switch text {
    case "concealed": say(.concealed)
    case "disclosed": say(.disclosed)
    case "none": say(.unlockNone)
    case "biometric": say(.unlockBiometric)
    case "code": say(.resetByCode)
    case "known_device": say(.resetOnKnownDevice)
    case "administrator": say(.resetByAdministrator)
    default: text
    }
  }

  private func list(_ elements: [JSON]) -> String {
    var text = ""
    for element in elements { text += (text.isEmpty ? "" : ", ") + (element.text ?? "") }
    return text
  }

  func allowed(_ value: PolicyValue) -> String {
    switch value.form {
    case .number(let range): return span(range, of: value.key)
    case .callingCodes: return say(.anyCodes)
    case .message: return say(.anyMessage)
    case .choice(let words):
      var text = ""
      for word in words { text += (text.isEmpty ? "" : ", ") + self.word(word) }
      return text
    }
  }

  private func span(_ range: ClosedRange<Int64>, of key: PolicyKey) -> String {
    say(
      .fromTo,
      [
        (name: "least", value: words(range.lowerBound, of: key)),
        (name: "most", value: words(range.upperBound, of: key)),
      ]
    )
  }

  /// The duration in the largest unit that is exact.
  func duration(_ seconds: Int64) -> String {
    let units: [(seconds: Int64, one: ConsoleSentence, many: ConsoleSentence)] = [
      (24 * 60 * 60, .day, .days), (60 * 60, .hour, .hours), (60, .minute, .minutes),
    ]
    for unit in units where seconds > 0 && seconds % unit.seconds == 0 {
      return say(unit.many, one: unit.one, count: seconds / unit.seconds)
    }
    return say(.seconds, one: .second, count: seconds)
  }

  func name(of unit: TimeUnit) -> String {
    switch unit {
    case .seconds: say(.unitSeconds)
    case .minutes: say(.unitMinutes)
    case .hours: say(.unitHours)
    case .days: say(.unitDays)
    }
  }

  func badge(of value: PolicyValue) -> Badge {
    switch value.source {
    case .standard: Badge(text: say(.sourceStandard), severity: .neutral)
    case .configuration: Badge(text: say(.sourceConfiguration), severity: .success)
    case .changed: Badge(text: say(.sourceChanged), severity: .info)
    case .client: Badge(text: say(.sourceClient), severity: .neutral)
    }
  }

  // MARK: Faults

  func refused(_ fault: PolicyEditor.Fault) -> String {
    switch fault {
    case .number(let range): needed(.numberNeeded, range) { format.number($0) }
    case .time(let range): needed(.timeNeeded, range) { duration($0) }
    case .amount(let range): needed(.amountNeeded, range) { format.amount($0) }
    case .callingCodes: say(.codesNeeded)
    case .message:
      say(
        .messageNeeded,
        [
          (name: "count", value: format.number(Int64(PolicyEditor.messageLengthLimit))),
          (name: "code", value: "{code}"),
        ]
      )
    case .unchanged: say(.valueUnchanged)
    }
  }

  private func needed(
    _ sentence: ConsoleSentence, _ range: ClosedRange<Int64>, _ words: (Int64) -> String
  ) -> String {
    say(
      sentence,
      [
        (name: "least", value: words(range.lowerBound)),
        (name: "most", value: words(range.upperBound)),
      ]
    )
  }

  func refused(_ key: PolicyKey) -> String {
    switch PolicyGroup(key) {
    case .texts: say(.messageRefused)
    case .messages where key == .countries: say(.countriesRefused)
    case .accounts, .codes, .locks, .origins, .messages, .sessions: say(.policyRefused)
    }
  }

  // MARK: Rows

  func row(_ value: PolicyValue, isOpened: Bool) -> TableRow {
    TableRow(
      id: value.key.rawValue,
      cells: [
        TableRow.Cell(text: Phrase(name(of: value.key))),
        TableRow.Cell(text: Phrase(words(value.value, of: value.key))),
        TableRow.Cell(text: Phrase(""), badges: [badge(of: value)]),
        TableRow.Cell(text: Phrase(allowed(value))),
      ],
      action: RowAction(button: ButtonName.openValue.rawValue, item: value.key.rawValue),
      isCurrent: isOpened
    )
  }

  func table(_ cards: [PolicyCard]) -> Part {
    var rows: [TableRow] = []
    for card in cards {
      guard let numbers = card.numbers else { continue }
      let item = PolicyList.item(of: card.id)
      rows.append(
        TableRow(
          id: item,
          cells: [
            TableRow.Cell(text: Phrase(card.name)),
            TableRow.Cell(text: Phrase(format.number(numbers.failures))),
            TableRow.Cell(text: Phrase(duration(numbers.lockSeconds))),
            TableRow.Cell(text: Phrase(format.number(numbers.codeDigits))),
            TableRow.Cell(text: Phrase(""), badges: changed(card.isChanged)),
          ],
          action: RowAction(button: ButtonName.openPolicy.rawValue, item: item)
        ))
    }
    return .table(
      Table(
        id: "policy-apps", label: say(.apps),
        columns: [
          say(.app), say(.failuresBeforeLock), say(.firstLock), say(.codeDigits), say(.source),
        ],
        rows: rows, showsLabel: true
      ))
  }

  func table(_ cards: [OrganizationCard]) -> Part {
    var rows: [TableRow] = []
    for card in cards {
      let item = PolicyList.item(of: card.id)
      let own =
        card.ownValues == 0
        ? say(.noOwnValues) : say(.ownValues, one: .ownValue, count: card.ownValues)
      rows.append(
        TableRow(
          id: item,
          cells: [
            TableRow.Cell(text: Phrase(card.name)), TableRow.Cell(text: Phrase(own)),
            TableRow.Cell(text: Phrase(""), badges: changed(card.isChanged)),
          ],
          action: RowAction(button: ButtonName.openPolicy.rawValue, item: item)
        ))
    }
    return .table(
      Table(
        id: "policy-organizations", label: say(.organizations),
        columns: [say(.organization), say(.settings), say(.source)], rows: rows, showsLabel: true
      ))
  }

  private func changed(_ isChanged: Bool) -> [Badge] {
    [
      isChanged
        ? Badge(text: say(.policyChanged), severity: .info)
        : Badge(text: say(.sourceConfiguration), severity: .neutral)
    ]
  }
}
