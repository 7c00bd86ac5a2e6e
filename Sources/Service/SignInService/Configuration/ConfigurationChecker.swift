import JSONText
import SignInModel

/// Compares a configuration with its shape and collects all differences.
struct ConfigurationChecker {
  /// Keys under which people often write a secret.
  ///
  /// Here the file of the secret must be named.
  static let secretWords = [
    "access_key", "api_key", "auth_token", "client_secret", "passphrase", "password",
    "private_key", "secret", "secret_access_key", "token",
  ]
  static let shownKeyLimit = 64

  let isDevelopment: Bool
  private(set) var mistakes: [ConfigurationMistake] = []

  init(isDevelopment: Bool) { self.isDevelopment = isDevelopment }

  /// Further mistakes are not collected.
  ///
  /// The operator sees them after correcting these.
  static let mistakeLimit = 100

  mutating func note(_ path: String, _ problem: String, _ remedy: String) {
    guard mistakes.count < Self.mistakeLimit else { return }
    mistakes.append(ConfigurationMistake(path: path, problem: problem, remedy: remedy))
  }

  mutating func check(_ value: JSON, is shape: ConfigurationShape, at path: String) {
    switch shape {
    case .text(let form): checkText(value, form, path)
    case .number(let range): checkNumber(value, range, path)
    case .flag:
      if value.flag == nil {
        note(path, "is \(value.typeName) where true or false is expected", "write true or false")
      }
    case .choice(let choices): checkChoice(value, choices, path)
    case .flagOrChoice(let choices):
      if value.flag == nil { checkChoice(value, choices, path) }
    case .list(let element, let least, let most):
      checkList(value, element, least...(most ?? .max), path)
    case .object(let members): checkObject(value, members, nil, path)
    case .textOr(let form, let other):
      if value.objectMembers == nil {
        checkText(value, form, path)
      } else {
        check(value, is: other, at: path)
      }
    case .kinds(let kinds, let whenNone): checkKinds(value, kinds, whenNone, path)
    }
  }
}

extension ConfigurationChecker {
  private mutating func checkText(_ value: JSON, _ form: TextFormat, _ path: String) {
    guard let text = value.text else {
      return note(path, "is \(value.typeName) where text is expected", form.remedy)
    }
    if let problem = form.problem(text) { note(path, problem, form.remedy) }
  }

  private mutating func checkNumber(_ value: JSON, _ range: ClosedRange<Int64>, _ path: String) {
    let remedy = "write a whole number from \(range.lowerBound) to \(range.upperBound)"
    guard let number = value.number else {
      return note(path, "is \(value.typeName) where a whole number is expected", remedy)
    }
    if number < range.lowerBound { note(path, "is too small", remedy) }
    if number > range.upperBound { note(path, "is too large", remedy) }
  }

  private mutating func checkChoice(_ value: JSON, _ choices: [String], _ path: String) {
    let remedy = "write \(choices.quotedList)"
    guard let text = value.text else {
      return note(path, "is \(value.typeName) where text is expected", remedy)
    }
    guard !choices.contains(text) else { return }
    let meant = SpellingSuggestion.nearest(to: text, among: choices)
    note(
      path, "is not an allowed value of this key", meant.map { "did you mean \"\($0)\"?" } ?? remedy
    )
  }

  private mutating func checkList(
    _ value: JSON,
    _ element: ConfigurationShape,
    _ counts: ClosedRange<Int>,
    _ path: String
  ) {
    guard let elements = value.elements else {
      return note(path, "is \(value.typeName) where a list is expected", "write a list: [ … ]")
    }
    if elements.count < counts.lowerBound { note(path, "is empty", "write at least one entry") }
    if elements.count > counts.upperBound {
      note(path, "has \(elements.count) entries", "keep at most \(counts.upperBound)")
    }
    for (index, value) in elements.enumerated() {
      check(value, is: element, at: "\(path)[\(index)]")
    }
  }

  private mutating func checkKinds(
    _ value: JSON,
    _ kinds: [ConfigurationKind],
    _ whenNone: String,
    _ path: String
  ) {
    guard value.objectMembers != nil else { return checkObject(value, [], nil, path) }
    let usable = kinds.filter { $0.isUsable(isDevelopment: isDevelopment) }.map(\.name)
    let remedy = usable.isEmpty ? whenNone : "write \(usable.quotedList)"
    guard let name = value["kind"] else { return note("\(path).kind", "is missing", remedy) }
    guard let kind = kinds.first(where: { $0.name == name.text }) else {
      return note("\(path).kind", "is an unknown kind", remedy)
    }
    switch kind.use {
    case .notYet: note("\(path).kind", "is a kind this version cannot use yet", remedy)
    case .developmentOnly where !isDevelopment:
      note(
        "\(path).kind", "shows codes to anyone, so it is allowed only with --development", remedy)
    case .developmentOnly, .everywhere: break
    }
    let isSecretSaid = ["file", "env"].contains { value["\(kind.secret ?? "")_\($0)"] != nil }
    let hasSecret = kind.isSecretRequired || isSecretSaid
    checkObject(value, kind.allMembers, hasSecret ? kind.secret : nil, path)
  }

  private mutating func checkObject(
    _ value: JSON,
    _ members: [ConfigurationMember],
    _ secret: String?,
    _ path: String
  ) {
    guard let found = value.objectMembers else {
      return note(
        path, "is \(value.typeName) where an object is expected", "write an object: { … }")
    }
    for member in found {
      if let known = members.first(where: { $0.key.hasSameBytes(as: member.key) }) {
        check(member.value, is: known.shape, at: path.appending(key: member.key))
      } else {
        noteUnknown(member.key, members.map(\.key), path)
      }
    }
    for member in members where member.isRequired && value[member.key] == nil {
      note(path.appending(key: member.key), "is missing", "write it: \(member.help)")
    }
    if let secret { checkSecret(value, secret, path) }
  }

  private mutating func checkSecret(_ value: JSON, _ secret: String, _ path: String) {
    let hasFile = value["\(secret)_file"] != nil
    let hasVariable = value["\(secret)_env"] != nil
    if hasFile == hasVariable {
      note(
        path.appending(key: "\(secret)_file"),
        hasFile ? "is used together with \(secret)_env" : "is missing",
        "name the file that contains the secret, or its variable with \"\(secret)_env\", not both"
      )
    }
  }

  private mutating func noteUnknown(_ key: String, _ known: [String], _ path: String) {
    guard mistakes.count < Self.mistakeLimit else { return }
    // Anyone who writes the file chooses its keys, so a key must not be able to forge a log line.
    let shown = String(String.UnicodeScalarView(key.unicodeScalars.prefix(Self.shownKeyLimit)))
      .filter { $0.isASCII && ($0.isLetter || $0.isNumber || "_-$.".contains($0)) }
    let path = path.appending(key: shown)
    let word = key.utf8.count <= Self.shownKeyLimit ? key.lowercased() : ""
    if Self.secretWords.contains(word) {
      let file = "\(word)_file"
      return note(
        path,
        "is a secret, and this file must not contain one",
        "write it to a separate file and name that file with \"\(file)\""
      )
    }
    let remedy =
      SpellingSuggestion.nearest(to: key, among: known).map { "did you mean \"\($0)\"?" }
      ?? "remove it; allowed keys: \(known.quotedList)"
    note(path, "is an unknown key", remedy)
  }
}

extension String {
  func appending(key: String) -> String { isEmpty ? key : "\(self).\(key)" }
}
