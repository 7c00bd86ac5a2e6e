import JSONText
import SignInModel

/// Reads a definition from the JSON of a configuration and collects all mistakes.
///
/// A member with a mistake has its usual value, and an element that is no object is an empty part.
/// So the rules that compare parts can name the places of the file.
struct DefinitionReader: DefinitionVisitor {
  var list = MistakeList()
  private var json: JSON
  private var path: String
  /// The keys of the visited object.
  private var known: [String] = []

  init(_ json: JSON, at path: String) {
    self.json = json
    self.path = path
  }

  mutating func part<Part: DefinitionPart>() -> Part? {
    guard let members = json.objectMembers else {
      list.note(
        path, "is \(json.typeName) where an object is expected", "write an object: { … }")
      return nil
    }
    var part = Part()
    part.visit(&self)
    // The allowed keys depend on the type or kind.
    let isUndecided =
      list.hasMistake(at: path.member(.type)) || list.hasMistake(at: path.member(.kind))
    for member in members where !known.contains(where: { member.isNamed($0) }) {
      if isUndecided, DefinitionKey.first(named: member.key) != nil { continue }
      let remedy = String.remedy(
        for: member.key, among: known, otherwise: "remove it; allowed keys: \(known.quotedList)")
      list.note(path.member(.shown(member.key)), "is an unknown key", remedy)
    }
    return part
  }

  mutating func parts<Part: DefinitionPart>(in counts: ClosedRange<Int>) -> [Part] {
    var parts: [Part] = []
    for element in elements(in: counts, path) {
      var reader = DefinitionReader(element, at: path.element(parts.count))
      reader.list = list
      parts.append(reader.part() ?? Part())
      list = reader.list
    }
    return parts
  }

  // MARK: Members

  /// The member with this key, if there is one.
  private mutating func member(_ key: DefinitionKey) -> JSON? {
    known.append(key.rawValue)
    return json[key.rawValue]
  }

  private mutating func note(_ key: DefinitionKey, _ problem: String, _ remedy: String) {
    list.note(path.member(key), problem, remedy)
  }

  private mutating func noteMissing(_ key: DefinitionKey) {
    note(key, "is missing", "write \"\(key.rawValue)\": …")
  }

  private mutating func noteType(_ path: String, _ json: JSON, _ expected: String) {
    list.note(
      path, "is \(json.typeName) where \(expected) is expected", "write \(expected)")
  }

  private mutating func text(_ json: JSON, _ path: String) -> String? {
    if let text = json.text { return text }
    noteType(path, json, "text")
    return nil
  }

  private mutating func elements(in counts: ClosedRange<Int>, _ path: String) -> [JSON] {
    guard let elements = json.elements else {
      list.note(path, "is \(json.typeName) where a list is expected", "write a list: [ … ]")
      return []
    }
    if elements.count < counts.lowerBound {
      list.note(path, "is empty", "write at least one entry")
    }
    if elements.count > counts.upperBound {
      list.note(
        path, "has \(elements.count) entries", "write at most \(counts.upperBound)")
    }
    return Array(elements.prefix(counts.upperBound))
  }

  /// The texts of a list; an element with a mistake is an empty text.
  private mutating func texts(_ json: JSON, _ path: String, upTo limit: Int) -> [String] {
    var reader = DefinitionReader(json, at: path)
    reader.list = list
    let elements = reader.elements(in: 0...limit, path)
    list = reader.list
    var texts: [String] = []
    for (index, element) in elements.enumerated() {
      let path = path.element(index)
      let text = text(element, path) ?? ""
      if text.isEmpty, element.text != nil {
        list.note(path, "is empty", "write a name, or remove it")
      } else if texts.contains(where: { !text.isEmpty && $0.hasSameBytes(as: text) }) {
        list.note(path, "is there twice", "remove it")
      }
      texts.append(text)
    }
    return texts
  }

  mutating func flag(_ key: DefinitionKey, _ value: inout Bool) {
    guard let json = member(key) else { return }
    guard let flag = json.flag else { return noteType(path.member(key), json, "true or false") }
    value = flag
  }

  mutating func number(
    _ key: DefinitionKey, _ value: inout Int64?, in range: ClosedRange<Int64>
  ) {
    guard let json = member(key) else { return }
    let remedy = "write a whole number from \(range.lowerBound) to \(range.upperBound)"
    guard let number = json.number(in: JSON.safeIntegers) else {
      return note(key, "is \(json.typeName) where a whole number is expected", remedy)
    }
    guard range.contains(number) else {
      return note(key, number < range.lowerBound ? "is too small" : "is too large", remedy)
    }
    value = number
  }

  mutating func decimal(_ key: DefinitionKey, _ value: inout DecimalNumber?) {
    guard let json = member(key) else { return }
    guard let number = DecimalNumber(json: json) else {
      return noteType(path.member(key), json, "a number")
    }
    value = number
  }

  mutating func name(_ key: DefinitionKey, _ value: inout String) {
    guard let json = member(key) else { return noteMissing(key) }
    value = text(json, path.member(key)) ?? ""
  }

  mutating func name(_ key: DefinitionKey, ifPresent value: inout String?) {
    guard let json = member(key) else { return }
    value = text(json, path.member(key))
  }

  mutating func names(_ key: DefinitionKey, _ value: inout [String], upTo limit: Int) {
    guard let json = member(key) else { return }
    value = texts(json, path.member(key), upTo: limit)
  }

  mutating func names(_ key: DefinitionKey, ifPresent value: inout [String]?, upTo limit: Int) {
    guard let json = member(key) else { return }
    value = texts(json, path.member(key), upTo: limit)
  }

  mutating func text(_ key: DefinitionKey, _ value: inout LocalizedText?, isRequired: Bool) {
    let path = path.member(key)
    guard let json = member(key) else {
      if isRequired { list.note(path, "is missing", "write \"title\": { \"en\": \"…\" }") }
      return
    }
    var entries: [LocalizedText.Entry] = []
    if let text = json.text {
      entries.append(LocalizedText.Entry("", text))
    } else if let members = json.objectMembers {
      entries = members.compactMap { member in
        text(member.value, path.member(.shown(member.key)))
          .map { LocalizedText.Entry(member.key, $0) }
      }
      if members.count > CollectionLimits.languages {
        list.note(
          path, "has \(members.count) languages", "write at most \(CollectionLimits.languages)")
      }
    } else {
      return noteType(path, json, "text, or an object such as { \"en\": \"…\" }")
    }
    for entry in entries { check(entry, path) }
    value = LocalizedText(entries)
    if value?.hasFallback == false {
      list.note(path, "has no text in English", "add \"en\": \"…\"")
    }
  }

  private mutating func check(_ entry: LocalizedText.Entry, _ path: String) {
    let isNamed = !entry.language.isEmpty
    let path = isNamed ? path.member(.shown(entry.language)) : path
    if isNamed, !LocalizedText.isLanguage(entry.language) {
      list.note(path, "is not a language", "write a language tag such as \"en\" or \"nb\"")
    }
    let limit = CollectionLimits.titleBytes
    if entry.text.utf8.count > limit {
      list.note(path, "is too long", "write at most \(limit) bytes")
    } else if TypedText.read(entry.text, limit: limit) == nil {
      list.note(path, "is empty or has a control character", "write a text in one line")
    }
  }

  mutating func word<Word: DefinitionWord>(
    _ key: DefinitionKey, _ value: inout Word, ifAbsent usual: Word?
  ) {
    guard let json = member(key) else {
      if usual == nil { noteMissing(key) }
      return
    }
    if let text = text(json, path.member(key)), let word: Word = word(text, path.member(key)) {
      value = word
    }
  }

  mutating func words<Word: DefinitionWord>(_ key: DefinitionKey, _ value: inout [Word]) {
    guard let json = member(key) else { return }
    let path = path.member(key)
    for (index, text) in texts(json, path, upTo: Word.allCases.count).enumerated() {
      if !text.isEmpty, let word: Word = word(text, path.element(index)) { value.append(word) }
    }
  }

  private mutating func word<Word: DefinitionWord>(_ text: String, _ path: String) -> Word? {
    if let word = Word.first(named: text) { return word }
    let known = Word.allCases.map { $0.rawValue }
    list.note(
      path, "is not an allowed value of this key",
      .remedy(for: text, among: known, otherwise: "write \(known.quotedList)"))
    return nil
  }

  /// A value with the limits of its field, if they are known.
  mutating func value(
    _ key: DefinitionKey, _ value: inout FieldValue?, of field: FieldDefinition
  ) {
    guard let json = member(key), !list.hasMistake(at: path.member(.type)),
      !list.hasMistake(at: path.member(.values))
    else { return }
    do throws(CollectionMistake) {
      value = try field.read(json, at: path.member(key))
    } catch {
      list.note(error)
    }
  }

  mutating func part<Part: DefinitionPart>(_ key: DefinitionKey, _ value: inout Part?) {
    guard let json = member(key) else { return }
    var reader = DefinitionReader(json, at: path.member(key))
    reader.list = list
    value = reader.part()
    list = reader.list
  }

  mutating func parts<Part: DefinitionPart>(
    _ key: DefinitionKey, _ value: inout [Part], in counts: ClosedRange<Int>
  ) {
    guard let json = member(key) else {
      if counts.lowerBound > 0 { noteMissing(key) }
      return
    }
    var reader = DefinitionReader(json, at: path.member(key))
    reader.list = list
    value = reader.parts(in: counts)
    list = reader.list
  }
}
