public import SignInEngine

/// The place on the screen that gets the keyboard focus: the part that was opened.
public typealias FocusTarget = PagePart

extension FlowContext {
  /// The part that gets the keyboard focus, once for each new `serial`.
  public var focus: ShownPart? { shownPart }

  mutating func moveFocus(to target: FocusTarget) { show(target) }
}

extension ShownPart {
  public var target: FocusTarget { part }
}

extension PagePart {
  public static var email: FocusTarget { PagePart(rawValue: "email") }
  public static var password: FocusTarget { PagePart(rawValue: "password") }
  public static var phone: FocusTarget { PagePart(rawValue: "phone") }
  public static var newPassword: FocusTarget { PagePart(rawValue: "new_password") }
  public static var currentPassword: FocusTarget { PagePart(rawValue: "current_password") }
  public static var name: FocusTarget { PagePart(rawValue: "name") }
  public static var account: FocusTarget { PagePart(rawValue: "account") }
  public static var record: FocusTarget { PagePart(rawValue: "record") }
  public static var approveSelected: FocusTarget { PagePart(rawValue: "approve_selected") }
  public static var question: FocusTarget { PagePart(rawValue: "question") }
  public static var policy: FocusTarget { PagePart(rawValue: "policy") }
  public static var editor: FocusTarget { PagePart(rawValue: "editor") }
  public static var policyValue: FocusTarget { PagePart(rawValue: "policy_value") }
  public static var organizations: FocusTarget { PagePart(rawValue: "organizations") }
  public static var permissions: FocusTarget { PagePart(rawValue: "permissions") }
  public static var description: FocusTarget { PagePart(rawValue: "description") }
  public static var receiver: FocusTarget { PagePart(rawValue: "receiver") }
}
