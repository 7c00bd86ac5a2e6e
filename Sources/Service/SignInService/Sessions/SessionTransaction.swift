/// The records that the use cases of sessions and tokens read and write.
public typealias SessionTransaction =
  AccountRecords & AssertionRecords & CodeRecords & EventRecords & KnownDeviceRecords
  & LockoutRecords & PolicyRecords & RefusalRecords & SessionRecords & SignInRecords
  & ThrottleRecords
