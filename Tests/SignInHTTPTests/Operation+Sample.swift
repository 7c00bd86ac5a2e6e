@testable import SignInHTTP

extension Operation {
  /// A description without content.
  static let sample = Operation(name: "sample", summary: "", chapter: .data, answers: [])
}
