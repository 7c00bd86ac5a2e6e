import SignInEngine
import SignInFlow
import SignInModel
import SignInWire

extension LogFilter {
  /// The filters of the security log.
  ///
  /// An app that the list does not have is named by its identifier.
  func eventFields(_ localizer: Localizer, _ known: [PolicyCard]) -> Part {
    var kinds = [Choice(value: "", name: localizer.label(.everyKind))]
    for kind in EventKind.allCases {
      kinds.append(Choice(value: kind.rawValue, name: localizer.name(of: kind)))
    }
    var apps = [Choice(value: "", name: localizer.label(.everyApp))]
    for app in known { apps.append(Choice(value: app.id.text, name: app.name)) }
    if !apps.contains(where: { $0.value.hasSameBytes(as: client) }) {
      apps.append(Choice(value: client, name: client))
    }
    return .fields(
      id: "filters",
      [
        Self.text(
          text, .account, isTextWhole ? nil : .accountNotWhole, localizer),
        Self.choice(.kind, localizer.label(.kind), kinds, kind),
        Self.choice(.client, localizer.say(.app), apps, client),
      ] + days(localizer))
  }

  /// The filters of the delivery log.
  func messageFields(_ localizer: Localizer) -> Part {
    var outcomes = [Choice(value: "", name: localizer.say(.everyOutcome))]
    for word in ["waiting", "sent", "delivered", "failed"] {
      outcomes.append(Choice(value: word, name: localizer.outcome(word).text))
    }
    var kinds = [Choice(value: "", name: localizer.label(.everyKind))]
    for word in ["code", "notice"] {
      kinds.append(Choice(value: word, name: localizer.kind(ofMessage: word)))
    }
    return .fields(
      id: "filters",
      [
        Self.text(
          text, .destination, isDestinationWhole ? nil : .destinationNotWhole, localizer),
        Self.choice(.outcome, localizer.say(.outcome), outcomes, outcome),
        Self.choice(.kind, localizer.label(.kind), kinds, kind),
      ] + days(localizer))
  }

  private func days(_ localizer: Localizer) -> [Field] {
    func day(_ name: FieldName, _ label: FilterSentence, _ value: String) -> Field {
      Field(
        id: name.rawValue, kind: .date, label: localizer.label(label), value: value,
        autofill: "off")
    }
    return [day(.from, .from, from), day(.until, .until, until)]
  }

  private static func text(
    _ value: String, _ label: FilterSentence, _ help: FilterSentence?, _ localizer: Localizer
  ) -> Field {
    Field(
      id: FieldName.search.rawValue, kind: .search, label: localizer.label(label), value: value,
      help: help.map { localizer.label($0) }, autofill: "off")
  }

  private static func choice(
    _ name: FieldName, _ label: String, _ choices: [Choice], _ value: String
  ) -> Field {
    Field(id: name.rawValue, kind: .choice(choices), label: label, value: value, autofill: "off")
  }
}
