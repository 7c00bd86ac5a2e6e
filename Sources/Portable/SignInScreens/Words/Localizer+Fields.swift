import SignInEngine
import SignInFlow

/// The field for a name, and the texts for fields that are still empty.
extension Localizer {
  func nameField(
    _ name: String, isMalformed: Bool, in missing: MissingFields, isEnabled: Bool
  ) -> Part {
    .field(
      Field(
        id: FieldName.name.rawValue, kind: .text, label: say(.name), value: name,
        error: isMalformed ? say(.nameMalformed) : self.missing(.name, in: missing),
        isEnabled: isEnabled, autofill: "name"))
  }

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
    // There is only a general text for a contact. No form requires the other fields.
    case .contact, .country, .notes, .search, .status, .outcome, .kind, .client, .from, .until,
      .description, .receiver, .policyApp, .policyValue, .policyUnit, .role, .organizations,
      .permissions, .confirmation, .reason, .language:
      say(.fieldMissing)
    }
  }
}
