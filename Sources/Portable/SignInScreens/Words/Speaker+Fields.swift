import SignInFlow

/// What is said at a field that was left empty, and of all such fields of a form.
extension Speaker {
  /// Nil for a field that is not missing.
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
    // Forms that know no empty fields of these have none to name.
    case .country, .notes, .search, .status, .description, .receiver, .policyApp, .policyValue,
      .role, .organizations, .confirmation, .language:
      say(.fieldMissing)
    }
  }
}
