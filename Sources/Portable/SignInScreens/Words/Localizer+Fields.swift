import SignInEngine
import SignInFlow

/// The texts for fields that are still empty.
extension Localizer {
  /// Returns `nil` if the field is not empty.
  func missing(_ name: FieldName, in fields: MissingFields) -> String? {
    fields.contains(name) ? missing(name) : nil
  }

  func missing(_ names: [FieldName]) -> String {
    var text = ""
    for name in names { text += (text.isEmpty ? "" : " ") + missing(name) }
    return text
  }

  func incompleteCode(digits: Int64) -> String {
    say(.codeIncomplete, "digits", format.number(digits))
  }

  private func missing(_ name: FieldName) -> String {
    switch name {
    case .email: say(.emailMissing)
    case .password: say(.passwordMissing)
    case .newPassword: say(.newPasswordMissing)
    case .currentPassword: say(.currentPasswordMissing)
    case .code: say(.codeMissing)
    case .phone: say(.numberMissing)
    case .name: say(.nameMissing)
    // No form requires these fields, so there is only a general text.
    case .contact, .country, .notes, .search, .status, .outcome, .kind, .client, .from, .until,
      .description, .receiver, .policyApp, .policyValue, .policyUnit, .role, .organizations,
      .permissions, .confirmation, .reason, .language:
      say(.fieldMissing)
    }
  }
}
