/// The records that the use cases of accounts read and write.
public typealias AccountTransaction =
  AccountRecords & CodeRecords & ContactProposalRecords & EventRecords & IdentityRecords
  & InvitationRecords & KnownDeviceRecords & LockoutRecords & NoticeRecords & OutboxRecords
  & PasswordHashKindRecords & PasswordResetRecords & PolicyRecords & RefusalRecords
  & RememberedAnswerRecords & SessionRecords & SignInRecords & ThrottleRecords
  & WaitingPasswordRecords
