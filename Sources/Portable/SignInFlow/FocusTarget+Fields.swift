public import SignInEngine

extension FocusTarget {
  public static var email: FocusTarget { FocusTarget(rawValue: "email") }
  public static var password: FocusTarget { FocusTarget(rawValue: "password") }
  public static var phone: FocusTarget { FocusTarget(rawValue: "phone") }
  public static var newPassword: FocusTarget { FocusTarget(rawValue: "new_password") }
  public static var currentPassword: FocusTarget { FocusTarget(rawValue: "current_password") }
  public static var name: FocusTarget { FocusTarget(rawValue: "name") }
  public static var account: FocusTarget { FocusTarget(rawValue: "account") }
  public static var record: FocusTarget { FocusTarget(rawValue: "record") }
  public static var approveSelected: FocusTarget { FocusTarget(rawValue: "approve_selected") }
  public static var question: FocusTarget { FocusTarget(rawValue: "question") }
  public static var policy: FocusTarget { FocusTarget(rawValue: "policy") }
  public static var editor: FocusTarget { FocusTarget(rawValue: "editor") }
  public static var policyValue: FocusTarget { FocusTarget(rawValue: "policy_value") }
  public static var organizations: FocusTarget { FocusTarget(rawValue: "organizations") }
  public static var permissions: FocusTarget { FocusTarget(rawValue: "permissions") }
  public static var description: FocusTarget { FocusTarget(rawValue: "description") }
  public static var receiver: FocusTarget { FocusTarget(rawValue: "receiver") }
}
