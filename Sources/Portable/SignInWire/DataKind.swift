/// A kind of record that other systems write, for example with `PUT /admin/jobs/{id}`.
public enum DataKind: String, CaseIterable, Sendable {
  case jobs
  case deliveries
  case activities
  case products
}
