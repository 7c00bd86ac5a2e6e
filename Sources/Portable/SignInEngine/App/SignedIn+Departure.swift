public import SignInModel

/// An action of the person that ends the session and erases what it stored.
public enum Departure: Equatable, Sendable {
  case signOut
  case switchOrganization(OrganizationID)

  fileprivate var intent: SessionIntent {
    switch self {
    case .signOut: .signOut
    case .switchOrganization(let organization): .switchOrganization(organization)
    }
  }
}

extension SignedIn {
  var isAskingToLeave: Bool { if case .unsentChanges? = sheet { true } else { false } }

  /// Leaves, or asks first if changes of the person would be lost.
  ///
  /// The same action again is the confirmation.
  mutating func leave(_ departure: Departure, _ context: inout FlowContext) -> [FlowEffect] {
    guard home.unsentCount > 0, sheet != .unsentChanges(departure) else {
      if isAskingToLeave { shown.sheet = nil }
      return handle(departure.intent, &context)
    }
    shown.isMenuOpen = false
    shown.sheet = .unsentChanges(departure)
    context.show(.sheet)
    return []
  }

  /// The menu with the pressed button is closed, so the page shows the button that opens the menu.
  mutating func stayHere(_ context: inout FlowContext) {
    shown.sheet = nil
    context.show(.accountMenu)
  }
}
