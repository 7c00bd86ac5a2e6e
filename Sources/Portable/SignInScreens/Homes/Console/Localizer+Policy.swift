import JSONText
import SignInEngine
import SignInFlow
import SignInModel
import SignInWire

/// The names of policy groups and policy values in the console.
extension Localizer {
  func title(of group: PolicyField.Group) -> String {
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
    switch key.field.unit {
    case .count: format.number(number)
    case .seconds: duration(number)
    case .millionths: format.amount(number)
    case .percent: say(.percent, [(name: "count", value: format.number(number))])
    }
  }

  /// A word of a choice as text, or the message template itself.
  private func word(_ text: String) -> String {
    if let word = AccountDisclosure(rawValue: text) { return say(word.sentence) }
    if let word = UnlockMethod(rawValue: text) { return say(word.sentence) }
    if let word = PasswordResetMode(rawValue: text) { return say(word.sentence) }
    if let word = RegistrationApproval(rawValue: text) { return say(word.sentence) }
    if text == ContactChangeMode.person.rawValue { return say(.contactByPerson) }
    return text
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
      // A name of a choice can contain a comma.
      for word in words { text += (text.isEmpty ? "" : " / ") + self.word(word) }
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
          (name: "count", value: format.number(Int64(PolicyKey.textLengthLimit))),
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
    switch key.field.group {
    case .texts: say(.messageRefused)
    case .messages where key == .countries: say(.countriesRefused)
    case .accounts, .codes, .locks, .origins, .messages, .sessions: say(.policyRefused)
    }
  }

  // MARK: Rows

  /// A value, without the allowed values beside an `opened` one, because its page has them.
  func row(_ value: PolicyValue, opened: PolicyKey?) -> TableRow {
    var cells = [
      TableRow.Cell(text: Phrase(name(of: value.key))),
      TableRow.Cell(text: Phrase(words(value.value, of: value.key))),
      TableRow.Cell(text: Phrase(""), badges: [badge(of: value)]),
    ]
    if opened == nil { cells.append(TableRow.Cell(text: Phrase(allowed(value)))) }
    return TableRow(
      id: value.key.rawValue, cells: cells, note: explanation(of: value.key),
      action: RowAction(button: ButtonName.openValue.rawValue, item: value.key.rawValue),
      isCurrent: value.key == opened)
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
          say(.app), name(of: .lockoutFailures), name(of: .firstLock), name(of: .codeDigits),
          say(.source),
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

extension AccountDisclosure {
  fileprivate var sentence: ConsoleSentence {
    switch self {
    case .concealed: .concealed
    case .disclosed: .disclosed
    }
  }
}

extension UnlockMethod {
  fileprivate var sentence: ConsoleSentence {
    switch self {
    case .none: .unlockNone
    case .biometric: .unlockBiometric
    }
  }
}

extension PasswordResetMode {
  fileprivate var sentence: ConsoleSentence {
    switch self {
    case .code: .resetByCode
    case .knownDevice: .resetOnKnownDevice
    case .administrator: .resetByAdministrator
    }
  }
}

extension RegistrationApproval {
  fileprivate var sentence: ConsoleSentence {
    switch self {
    case .number: .approvalByNumber
    case .list: .approvalByList
    case .administrator: .resetByAdministrator
    case .administratorAfterCode: .approvalAfterCode
    }
  }
}
