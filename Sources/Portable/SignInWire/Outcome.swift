/// A value, or the right answer to a person who cannot have it.
///
/// A refusal is never thrown.
public enum Outcome<Value: Sendable>: Sendable {
  case success(Value)
  case refusal(ErrorAnswer)
}

extension Outcome: Equatable where Value: Equatable {}
