/// The records that the use cases of signing in read and write.
public typealias SignInTransaction =
  AccountRecords & CodeRecords & EventRecords & IdentityRecords & InvitationRecords
  & KnownDeviceRecords & LockoutRecords & NoticeRecords & OutboxRecords & PasswordHashKindRecords
  & PasswordResetRecords & PolicyRecords & RefusalRecords & SessionRecords & SignInRecords
  & ThrottleRecords & WaitingPasswordRecords
