import Testing

@Suite("JSONText")
struct PlaceholderJSONText {}
