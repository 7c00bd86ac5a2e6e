public import JSONText

extension PolicyKey {
  /// The keys of the JSON objects that contain the value, the outermost first.
  public var steps: [String] {
    var steps: [[UInt8]] = [[]]
    for byte in rawValue.utf8 {
      if byte == UInt8(ascii: ".") { steps.append([]) } else { steps[steps.count - 1].append(byte) }
    }
    return steps.map { String(decoding: $0, as: UTF8.self) }
  }

  /// The value in an object with the keys of the configuration; null if it is absent.
  public func value(in json: JSON) -> JSON {
    var value = json
    for step in steps { value = value[step] ?? .null }
    return value
  }

  /// An object with the keys of the configuration that contains only this value.
  public func object(with value: JSON) -> JSON {
    var json = value
    for step in steps.reversed() { json = .members([JSONMember(step, json)]) }
    return json
  }

  /// The values of an object with the keys of the configuration, without absent ones.
  public static func values(in json: JSON) -> [(key: PolicyKey, value: JSON)] {
    var values: [(key: PolicyKey, value: JSON)] = []
    for member in json.objectMembers ?? [] {
      if let key = PolicyKey(rawValue: member.key) {
        if member.value != .null { values.append((key, member.value)) }
        continue
      }
      for inner in member.value.objectMembers ?? [] where inner.value != .null {
        guard let key = PolicyKey(rawValue: member.key + "." + inner.key) else { continue }
        values.append((key, inner.value))
      }
    }
    return values
  }
}

extension [PolicyKey] {
  /// The nodes of a document with the keys of the configuration: one for each value, with the name
  /// of its last key, and one for each object that contains values.
  ///
  /// The values of one object must be together.
  public func nested<Node>(
    _ value: (PolicyKey, String) -> Node, object: (String, [Node]) -> Node
  ) -> [Node] {
    var nodes: [Node] = []
    var open: (name: String, nodes: [Node])?
    for key in self {
      let steps = key.steps
      let name = steps.count > 1 ? steps[0] : nil
      if let closed = open, closed.name != name {
        nodes.append(object(closed.name, closed.nodes))
        open = nil
      }
      let node = value(key, steps[steps.count - 1])
      if let name { open = (name, (open?.nodes ?? []) + [node]) } else { nodes.append(node) }
    }
    if let open { nodes.append(object(open.name, open.nodes)) }
    return nodes
  }
}
