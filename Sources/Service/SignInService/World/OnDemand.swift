internal import Synchronization

/// A value that is made when it is first needed, and then stays the same.
///
/// It is for random values of a decision that most runs do not need. A decision may run again, and
/// must then use the same values.
final class OnDemand<Value: Sendable>: Sendable {
  private let made = Mutex<Value?>(nil)
  private let make: @Sendable () -> Value

  init(_ make: @escaping @Sendable () -> Value) { self.make = make }

  var value: Value {
    made.withLock { made in
      if let made { return made }
      let value = make()
      made = value
      return value
    }
  }
}
