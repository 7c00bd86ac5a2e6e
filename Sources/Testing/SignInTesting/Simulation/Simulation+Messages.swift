internal import SignInModel
internal import SignInRules
internal import SignInService

/// A code that arrived on a phone, and its purpose.
struct ReceivedCode {
  let text: String
  let purpose: CodeChallenge.Purpose
  /// How often a careful person has entered it.
  var typings = 0
}

// Text messages and their receipts.
extension Simulation {
  /// The provider accepts a message; `isRepeatable` if it would recognise a repetition.
  func accept(of message: TextMessage, isRepeatable: Bool) {
    note("took charge of a message", 0, Int64(message.id.utf8.count), message.to.text)
    var message = message
    if defect == .otherCodeOnRetry, laws.texts[message.id] != nil {
      message = TextMessage(
        id: message.id, to: message.to, kind: message.kind,
        text: Secret("000000 is another code."), createdAt: message.createdAt,
        expiresAt: message.expiresAt
      )
    }
    laws.handedOver(message, isRepeatable: isRepeatable)
    planReports(of: message.id)
    // A notice needs no reaction.
    guard message.kind == .code, let phone = message.to.phone else { return }
    let code = ReceivedCode(
      text: String(message.text.revealed.prefix(6)),
      purpose: laws.codes[message.id]?.place.purpose ?? .signIn
    )
    if may(.overload), chance.isOne(in: 12) { return }
    let isSlow = may(.overload) && chance.isOne(in: 8)
    plan(.texted(phone, code), in: isSlow ? 30_000...200_000 : 500...8000)
    if may(.overload), chance.isOne(in: 12) { plan(.texted(phone, code), in: 1000...60_000) }
  }

  /// The provider sends receipts for some messages.
  ///
  /// Some are wrong, and some come twice.
  private func planReports(of id: String) {
    guard !chance.isOne(in: 3) else { return }
    let outcome: OutboxMessage.Receipt =
      may(.overload) && chance.isOne(in: 8) ? chance.pick([.delayed, .undelivered]) : .delivered
    let report = DeliveryReport(
      reference: SimulatedMessenger.reference(of: id), outcome: outcome)
    for _ in 0...(chance.isOne(in: 6) ? 1 : 0) { plan(.report(report), in: 1...20_000) }
  }

  /// A provider repeats a report until a server takes it.
  func reported(_ report: DeliveryReport) {
    guard server.isUp else { return plan(.report(report), in: 5000...60_000) }
    server.reports.add(report, of: SimulatedMessenger.onlyName)
  }

  // MARK: Codes

  func received(
    by person: SimulatedPeople.Person, for purpose: CodeChallenge.Purpose = .signIn
  ) -> [String] {
    (inboxes[person.account.number] ?? []).filter { $0.purpose == purpose }.map { $0.text }
  }

  /// The newest code, or `nil` if the person has used it or entered it twice.
  func takeUnusedCode(
    of person: SimulatedPeople.Person, for purpose: CodeChallenge.Purpose
  ) -> String? {
    let number = person.account.number
    guard let index = inboxes[number]?.lastIndex(where: { $0.purpose == purpose }),
      let code = inboxes[number]?[index], code.typings < 2
    else { return nil }
    inboxes[number]?[index].typings += 1
    return code.text
  }

  /// A careful person enters no code again after a sign-in.
  func setCodesUsed(of person: SimulatedPeople.Person) {
    for index in (inboxes[person.account.number] ?? []).indices {
      inboxes[person.account.number]?[index].typings = 2
    }
  }

  /// The newest received code, or sometimes an older one or a mistyped one.
  func typedCode(
    of person: SimulatedPeople.Person, for purpose: CodeChallenge.Purpose = .signIn
  ) -> String {
    let other = CodeChallenge.Purpose.allCases.first { $0 != purpose } ?? purpose
    // A careless person confuses the codes of a sign-in and of a reset.
    let isMistaken = chance.isOne(in: 20)
    let codes = received(by: person, for: isMistaken ? other : purpose)
    if chance.isOne(in: 8) || codes.isEmpty { return wrongCode() }
    if chance.isOne(in: 8) { return chance.pick(codes) }
    return codes[codes.count - 1]
  }

  func wrongCode() -> String { String(String(chance.between(1_000_000...1_999_999)).dropFirst()) }
}
