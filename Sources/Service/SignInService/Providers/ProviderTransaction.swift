/// The records that the use cases of sign-ins at identity providers read and write.
public typealias ProviderTransaction =
  AccountRecords & CodeRecords & ContactProposalRecords & EventRecords & IdentityRecords
  & InvitationRecords & KnownDeviceRecords & LockoutRecords & NoticeRecords & OutboxRecords
  & PasswordHashKindRecords & PasswordResetRecords & PolicyRecords & ProviderJourneyRecords
  & RefusalRecords & SessionRecords & SignInRecords & ThrottleRecords & WaitingPasswordRecords
