import JSONText
import SignInEngine
import SignInModel
import SignInWire

extension ConsoleHome {
  /// The list of the tab and the fields of its filters; `nil` for a tab without such a list.
  private var exportable: (list: ExportedList, fields: [Form.Field])? {
    switch tab {
    case .accounts: (.accounts, filter)
    case .events: (.events, eventFilter.events)
    case .messages: (.messages, messageFilter.messages)
    case .overview, .products, .requests, .policies: nil
    }
  }

  mutating func exportList(_ context: inout FlowContext) {
    guard exporting == nil, let (list, fields) = exportable else { return }
    notice = nil
    let request = APIRequest.file(
      .adminListExport(list), Form(fields), as: list.rawValue + ".csv",
      timeoutSeconds: AccountAction.exportTimeoutSeconds)
    exporting = Wait(request: context.ask(request), since: context.now)
  }

  mutating func exported(_ answer: Answer, _ context: FlowContext) -> [PageEffect] {
    exporting = nil
    let said: ConsoleNotice =
      answer.success == nil ? ConsoleNotice(answer, at: context.now) : .listExported
    notice = said
    return [.announce(.console(.notice(said)))]
  }
}
