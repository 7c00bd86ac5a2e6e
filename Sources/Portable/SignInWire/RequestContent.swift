/// The content of a request, which clients write and the server reads: a `RequestForm` or a
/// `RequestBody`.
///
/// Its visit names each field once. Reading and writing follow from it.
public protocol RequestContent: Sendable {
  /// Content without any field.
  init()
}

extension RequestContent {
  public init(_ fill: (inout Self) -> Void) {
    self.init()
    fill(&self)
  }
}
