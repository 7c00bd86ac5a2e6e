import SignInFlow
import SignInModel

// Tests write texts where a program has secrets.
extension Event {
  static func fieldEdited(_ field: FieldName, _ text: String) -> Event {
    .fieldEdited(field, Secret(text))
  }

  static func storageRead(
    _ reading: StorageReading, seen: String?, pending: Secret? = nil
  ) -> Event {
    .storageRead(reading, seen: seen.map { Secret($0) }, pending: pending)
  }
}

extension StorageReading {
  static func value(_ text: String) -> StorageReading { .value(Secret(text)) }
}
