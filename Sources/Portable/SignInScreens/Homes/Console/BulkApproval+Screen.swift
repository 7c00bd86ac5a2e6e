import SignInEngine
import SignInFlow
import SignInModel
import SignInWire

/// The boxes of the list of accounts, and what they are for.
extension Localizer {
  func tell(_ sentence: HistorySentence, _ count: Int64) -> String {
    Template.fill(tell(sentence), [(name: "count", value: format.number(count))])
  }

  func tell(_ sentence: HistorySentence, _ count: Int64, of total: Int64) -> String {
    Template.fill(
      tell(sentence),
      [(name: "count", value: format.number(count)), (name: "total", value: format.number(total))])
  }

  func button(for bulk: BulkApproval) -> Button {
    var button = button(.approveSelected, .approve, .primary)
    button.label = bulk.count == 0 ? tell(.approveSelected) : tell(.approveCount, bulk.count)
    button.isEnabled = bulk.count > 0
    button.reason = bulk.count == 0 ? tell(.selectFirst) : nil
    if bulk.waiting != nil {
      button.isBusy = true
      button.label = tell(.approving, bulk.approved, of: bulk.total)
    }
    return button
  }

  func check(_ entry: AccountEntry, _ bulk: BulkApproval) -> RowCheck {
    RowCheck(
      label: Template.fill(tell(.selectOne), [(name: "name", value: entry.name)]),
      isOn: bulk.selected.contains(entry.id), isEnabled: bulk.waiting == nil,
      action: RowAction(button: ButtonName.toggleAccount.rawValue, item: entry.id.text))
  }

  func check(_ selectable: [AccountID], _ bulk: BulkApproval) -> RowCheck {
    RowCheck(
      label: tell(.selectAll), isOn: bulk.selected.count == selectable.count,
      isEnabled: bulk.waiting == nil,
      action: RowAction(button: ButtonName.toggleAccounts.rawValue, item: "all"))
  }

  /// The badges of an account, and why it was not approved.
  func badges(of entry: AccountEntry, _ bulk: BulkApproval) -> [Badge] {
    var badges = badges(of: entry)
    if let failure = bulk.failures.first(where: { $0.account == entry.id }) {
      badges.append(Badge(text: said(failure.reason), severity: .error))
    }
    return badges
  }

  /// The question before several accounts are approved.
  func sheet(_ bulk: BulkApproval) -> Part {
    let title = bulk.count == 1 ? tell(.approveOneTitle) : tell(.approveTitle, bulk.count)
    return .sheet(
      id: PagePart.question.rawValue, title: title, text: Phrase(say(.approveText)),
      buttons: [button(.confirm, .approve, .primary), button(.cancel, .cancel, .quiet)])
  }
}
