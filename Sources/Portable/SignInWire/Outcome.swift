/// A value, or the refusal that the person gets instead.
///
/// A refusal is never thrown.
public enum Outcome<Value: Sendable>: Sendable {
  case success(Value)
  case refusal(ErrorAnswer)
}

extension Outcome: Equatable where Value: Equatable {}
