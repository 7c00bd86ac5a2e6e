public import SignInEngine

extension FlowContext {
  /// The part that gets the keyboard focus, once for each new `serial`.
  public var focus: ShownPart? { shownPart }

  mutating func moveFocus(to part: PagePart) { show(part) }

  /// Returns the focus to the button that was pressed, after its question was cancelled.
  ///
  /// Without that button, the heading gets the focus.
  mutating func returnFocus(to button: ButtonName, of item: String) {
    show(PagePart(rawValue: button.rawValue + "-" + item))
  }
}

/// The parts of the pages besides those that every app has.
extension PagePart {
  public static var email: PagePart { PagePart(rawValue: "email") }
  public static var password: PagePart { PagePart(rawValue: "password") }
  public static var phone: PagePart { PagePart(rawValue: "phone") }
  public static var newPassword: PagePart { PagePart(rawValue: "new_password") }
  public static var currentPassword: PagePart { PagePart(rawValue: "current_password") }
  public static var name: PagePart { PagePart(rawValue: "name") }
  public static var account: PagePart { PagePart(rawValue: "account") }
  public static var record: PagePart { PagePart(rawValue: "record") }
  public static var approveSelected: PagePart { PagePart(rawValue: "approve_selected") }
  public static var endOtherSessions: PagePart { PagePart(rawValue: "end_other_sessions") }
  public static var question: PagePart { PagePart(rawValue: "question") }
  public static var search: PagePart { PagePart(rawValue: "search") }
  public static var policy: PagePart { PagePart(rawValue: "policy") }
  public static var editor: PagePart { PagePart(rawValue: "editor") }
  public static var policyValue: PagePart { PagePart(rawValue: "policy_value") }
  public static var organizations: PagePart { PagePart(rawValue: "organizations") }
  public static var permissions: PagePart { PagePart(rawValue: "permissions") }
  public static var description: PagePart { PagePart(rawValue: "description") }
  public static var receiver: PagePart { PagePart(rawValue: "receiver") }
}
