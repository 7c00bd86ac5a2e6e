public import SignInModel

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

extension AccountStatus {
  /// The status that follows after `transition`, or nil if the transition is not allowed.
  ///
  /// A transition to the current status is allowed and changes nothing, so that a request can be
  /// repeated after its answer was lost.
  public func after(_ transition: Account.Transition) -> AccountStatus? {
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

  /// The transition from this status to `status`, or nil if there is none.
  public func transition(to status: AccountStatus) -> Account.Transition? {
    Account.Transition.allCases.first { after($0) == status }
  }
}
