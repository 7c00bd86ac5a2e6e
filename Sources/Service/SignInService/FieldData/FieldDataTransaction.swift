/// The records that the use cases of jobs, deliveries, activities and products read and write.
public typealias FieldDataTransaction =
  AccountRecords & ActivityRecords & ChangeReceiverRecords & ChangeRecords & DeliveryRecords
  & EventRecords & JobRecords & ProductFeedRecords & ProductRecords & ServiceRequestRecords
  & VersionRecords
