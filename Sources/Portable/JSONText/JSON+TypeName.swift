extension JSON {
  /// The type of the value with its article, for messages about a value of another type.
  public var typeName: String {
    switch self {
    case .null: "null"
    case .bool: "true or false"
    case .int: "a number"
    case .decimal: "a number with a fraction"
    case .string: "text"
    case .array: "a list"
    case .object: "an object"
    }
  }
}
