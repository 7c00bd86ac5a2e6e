/// What a screen reader says in the console only.
public enum ConsoleAnnouncement: Equatable, Sendable {
  case notice(ConsoleNotice)
  case policyValueRefused(PolicyEditor.Fault)
  case accountFault(AccountEditor.Fault)
  case accountsListed(Int64)
  case accountsSelected(Int64)
}
