extension Account {
  /// What an administrator decides about an account (R-11, T-16).
  ///
  ///     pending ──approve──▶ active ──deactivate──▶ deactivated
  ///        │                 ▲    ▲                      │
  ///      reject           approve └──────reactivate──────┘
  ///        └────▶ rejected ──┘
  public enum Transition: String, CaseIterable, Sendable {
    case approve
    case reject
    case deactivate
    case reactivate
  }
}

extension Account.Status {
  /// Where `transition` leads from here, or nil where it is illegal.
  ///
  /// A transition to where the account already is changes nothing and is legal, so that a request
  /// whose answer was lost may be repeated.
  public func after(_ transition: Account.Transition) -> Account.Status? {
    switch (self, transition) {
    case (.pending, .approve), (.rejected, .approve), (.active, .approve): .active
    case (.pending, .reject), (.rejected, .reject): .rejected
    case (.active, .deactivate), (.deactivated, .deactivate): .deactivated
    case (.deactivated, .reactivate), (.active, .reactivate): .active
    case (.deactivated, .approve), (.active, .reject), (.deactivated, .reject),
      (.pending, .deactivate), (.rejected, .deactivate), (.pending, .reactivate),
      (.rejected, .reactivate):
      nil
    }
  }

  /// The transition that leads from here to `status`, or nil where none does.
  public func transition(to status: Account.Status) -> Account.Transition? {
    Account.Transition.allCases.first { after($0) == status }
  }
}
