import SignInWire

extension Schema {
  static let overviewMembers: [Member] = [
    .required(.days, .list(.object(overviewDayMembers)), "The oldest day first, today last"),
    .optional(
      .organizations, .list(.text),
      "The organizations that are counted; absent if your permission is global"),
    .required(
      .openSessions, .number,
      "Of your organizations: sessions in one of them, not sessions without an organization"),
    .required(.pendingAccounts, .number, "Accounts that wait for approval"),
    .required(.lockedAccounts, .number, "Accounts that are locked on all devices or on one"),
    .required(
      .failedMessages, .number,
      "Messages of the last day that were not handed over or not delivered"),
  ]

  private static let overviewDayMembers: [Member] = [
    .required(.day, .text, "Such as 2026-11-26"),
    .required(.signIns, .number, "Sessions that began"),
    .required(
      .failures, .number,
      "Wrong passwords, wrong and expired codes, and refused answers of identity providers"),
    .required(.locks, .number, "Lockouts that began"),
    .required(.codesSent, .number, "Codes of this day that a messenger accepted"),
    .required(.codesDelivered, .number, "Codes of this day with a receipt"),
    .required(.codesEntered, .number, "Right codes"),
  ]
}
