/// The records that the use cases of messages read and write.
public typealias MessageTransaction =
  AccountRecords & MessageCostRecords & NoticeRecords & OutboxRecords
