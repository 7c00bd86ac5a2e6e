import JSONText

extension Configuration {
  /// The configuration as JSON Schema 2020-12, for editors and other programs.
  ///
  /// It describes keys, types, choices and ranges. Only `parse` checks the rules between keys and
  /// the format of URLs.
  public static func schema(stores: [StoreKind], messengers: [MessengerKind]) -> [UInt8] {
    let head = [
      JSONMember("$schema", "https://json-schema.org/draft/2020-12/schema"),
      JSONMember("title", "Fieldpass configuration"),
    ]
    let body = ConfigurationShape.configuration(stores, messengers).schema.objectMembers ?? []
    return JSON.object(head + body).utf8
  }
}

extension ConfigurationShape {
  var schema: JSON {
    switch self {
    case .text(let form):
      .members([
        JSONMember("type", "string"), JSONMember("minLength", 1),
        JSONMember("pattern", ifPresent: form.pattern),
      ])
    case .number(let range):
      .object([
        JSONMember("type", "integer"), JSONMember("minimum", range.lowerBound),
        JSONMember("maximum", range.upperBound),
      ])
    case .flag: .object([JSONMember("type", "boolean")])
    case .choice(let values): .object([JSONMember("enum", .array(values.map(JSON.string)))])
    case .flagOrChoice(let values):
      .object([
        JSONMember("enum", .array([.bool(true), .bool(false)] + values.map(JSON.string)))
      ])
    case .list(let element, let least, let most):
      .members([
        JSONMember("type", "array"), JSONMember("minItems", Int64(least)),
        most.map { JSONMember("maxItems", Int64($0)) }, JSONMember("items", element.schema),
      ])
    case .object(let members): Self.schema(members, either: nil)
    case .textOr(let form, let other):
      .object([
        JSONMember("anyOf", .array([ConfigurationShape.text(form).schema, other.schema]))
      ])
    case .kinds(let kinds, whenNone: _):
      .object([
        JSONMember(
          "oneOf",
          .array(
            kinds.map { Self.schema($0.allMembers, either: $0.isSecretRequired ? $0.secret : nil) })
        )
      ])
    }
  }

  private static func schema(_ members: [ConfigurationMember], either secret: String?) -> JSON {
    let properties = members.map { member in
      let help = JSONMember("description", member.help)
      let standard = member.standard.map { [JSONMember("default", $0)] } ?? []
      let shape = member.shape.schema.objectMembers ?? []
      return JSONMember(member.key, .object([help] + standard + shape))
    }
    let required = members.filter(\.isRequired).map { JSON.string($0.key) }
    let places = ["file", "env"].map { place in
      JSON.object([JSONMember("required", .array([.string("\(secret ?? "")_\(place)")]))])
    }
    return .members([
      JSONMember("type", "object"),
      JSONMember("additionalProperties", false),
      JSONMember("required", .array(required)),
      JSONMember("properties", .object(properties)),
      secret == nil ? nil : JSONMember("oneOf", .array(places)),
    ])
  }
}
