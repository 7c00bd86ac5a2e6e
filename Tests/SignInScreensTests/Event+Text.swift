import SignInEngine
import SignInFlow
import SignInModel

// Tests write texts where a program has secrets.
extension PageEvent {
  static func fieldEdited(_ field: FieldName, _ text: String) -> PageEvent {
    .fieldEdited(field, Secret(text))
  }
}

extension StorageEvent {
  static func read(
    _ reading: StorageReading, seen: String?, pending: Secret? = nil
  ) -> StorageEvent {
    .read(reading, seen: seen.map { Secret($0) }, pending: pending)
  }
}

extension StorageReading {
  static func value(_ text: String) -> StorageReading { .value(Secret(text)) }
}
