/// The records that the use cases of administration read and write.
public typealias AdministrationTransaction =
  AccountRecords & EventRecords & PolicyRecords
