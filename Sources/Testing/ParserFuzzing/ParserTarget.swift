internal import CSVText
internal import JSONText
internal import SignInEngine
internal import SignInFlow
internal import SignInModel
internal import SignInScreens
internal import SignInService
internal import SignInWire
internal import TextMessengers

/// A parser of bytes from outside, with typical inputs.
///
/// The caller must notice a trap, which ends the process. Other invariants are preconditions.
package enum ParserTarget: String, CaseIterable, Sendable {
  case json
  case table
  case form
  /// A compact JWS and the claims of an access token.
  case token
  /// Header and claims of a proof, one line each. Every second one is signed with its key.
  case proof
  case smpp
  case receipts
  case configuration
  /// Events of a page, one per line, in the form in which they enter WebAssembly.
  case crossing
  /// Values of the wire contract and of people: cursors, addresses, numbers, days, language tags.
  case values
  /// Answers of a server, read as a client does.
  case answers
  /// Photos in every format.
  case pictures

  /// Reads the bytes.
  ///
  /// The result says whether the parser accepted them.
  @discardableResult
  package func read(_ bytes: [UInt8]) -> Bool {
    switch self {
    case .json: Self.readJSON(bytes)
    case .table: Self.readTable(bytes)
    case .form: Self.readForm(bytes)
    case .token: Self.readToken(bytes)
    case .proof: Self.readProof(bytes)
    case .smpp: ProviderBytes.converse(bytes, at: Self.now) > 0
    case .receipts: Self.readReceipts(bytes)
    case .configuration: Self.readConfiguration(bytes)
    case .crossing: Self.readEvents(bytes)
    case .values: Self.readValues(bytes)
    case .answers: Self.readAnswers(bytes)
    case .pictures: Self.readPicture(bytes)
    }
  }
}

// MARK: - Portable parsers

extension ParserTarget {
  private static func json(_ bytes: [UInt8], _ limits: JSONLimits) -> JSON? {
    do throws(JSONMalformed) { return try JSONReader.read(bytes, within: limits) } catch {
      precondition((0...bytes.count).contains(error.offset), "the offset is outside the text")
      return nil
    }
  }

  /// A value that was read is written and read again.
  ///
  /// Both values must be equal.
  private static func readJSON(_ bytes: [UInt8]) -> Bool {
    _ = json(bytes, .token)
    let elements = readList(bytes)
    let request = json(bytes, .request)
    guard let read = json(bytes, .document) else {
      precondition(request == nil, "narrow limits let in what wide ones refuse")
      return false
    }
    precondition(json(read.utf8, .document) == read, "what is written reads as another value")
    for member in read.objectMembers ?? [] {
      precondition(read[member.key] == member.value, "a member is not found by its name")
    }
    if let list = read.elements {
      precondition(elements?.map { json($0, .document) } == list, "the list has other elements")
    }
    return true
  }

  /// The bytes of the list's elements; nil if the text is not a list.
  private static func readList(_ bytes: [UInt8]) -> [[UInt8]]? {
    var reader = JSONListReader(bytes)
    var (elements, end): ([[UInt8]], Int) = ([], 0)
    while let element = reader.next() {
      precondition(end < element.range.lowerBound, "elements overlap")
      end = element.range.upperBound
      elements.append(Array(bytes[element.range]))
    }
    return reader.fault == nil ? elements : nil
  }

  /// Cells that were read are written and read again.
  ///
  /// Both must be equal.
  private static func readTable(_ bytes: [UInt8]) -> Bool {
    guard let rows = rows(of: bytes) else { return false }
    let text = rows.map { row in
      row.map {
        "\""
          + $0.split(separator: "\"", omittingEmptySubsequences: false)
          .joined(separator: "\"\"") + "\""
      }.joined(separator: ",")
    }.joined(separator: "\n")
    precondition(self.rows(of: Array(text.utf8)) == rows, "a table reads differently")
    return rows.count > 1
  }

  private static func rows(of bytes: [UInt8]) -> [[String]]? {
    do throws(CSVMalformed) {
      var reader = try CSVReader(bytes)
      var rows: [[String]] = []
      while let cells = try reader.next() {
        precondition(cells.allSatisfy { $0.line > 0 && $0.column > 0 }, "a cell has no place")
        rows.append(cells.map(\.text))
      }
      return rows
    } catch {
      precondition(error.line > 0 && error.column > 0, "a fault has no place")
      return nil
    }
  }

  private static func readForm(_ bytes: [UInt8]) -> Bool {
    do throws(Form.Fault) {
      let form = try Form(parsing: bytes)
      let again = try Form(parsing: Array(form.encoded.utf8))
      precondition(again == form, "a form reads differently")
      for field in form.fields where !field.value.isEmpty {
        precondition(
          form[field.name]?.hasSameBytes(as: field.value) == true, "a form field is missing")
      }
      return true
    } catch {
      return false
    }
  }

  private static let homes: [any HomeScreen.Type] = [
    JobsHome.self, DashboardHome.self, ActivitiesHome.self, ProductsHome.self, ConsoleHome.self,
  ]

  /// The length of the input decides whose home reads the events.
  private static func readEvents(_ bytes: [UInt8]) -> Bool {
    let home = homes[bytes.count % homes.count]
    return replay(bytes, home)
  }

  private static func replay<Home: HomeScreen>(_ bytes: [UInt8], _ home: Home.Type) -> Bool {
    var app = JSONApp<Home>()
    var isUnderstood = false
    for line in bytes.split(separator: UInt8(ascii: "\n")).prefix(16) {
      // A line that is not JSON is attached to the next event, like the pieces of an offline copy.
      if line.first != UInt8(ascii: "{") {
        app.attach(Array(line) + [UInt8(ascii: "\n")])
        continue
      }
      let answer = json(app.handle(Array(line)), .document)
      precondition(answer != nil, "the core answers what is no JSON")
      if answer?["screen"] != nil { isUnderstood = true }
    }
    return isUnderstood
  }

  private static func readAnswers(_ bytes: [UInt8]) -> Bool {
    guard let json = json(bytes, .document) else { return false }
    let read: [Any?] = [
      Refusal(json: json), TokenAnswer(json: json), DashboardAnswer(json: json),
      ProductsAnswer(json: json), AccountEntry(json: json), EventEntry(json: json),
      MessageEntry(json: json), SessionEntry(json: json), JobEntry(json: json),
      ActivityEntry(json: json), PolicySheet(json: json), CodePrompt(json: json),
      ServiceRequestEntry(json: json), ProductEntry(json: json), HeldProductEntry(json: json),
      OfflineLease(reading: OfflineLease.token(in: json) ?? ""),
    ]
    return read.contains { $0 != nil }
  }

  private static func readValues(_ bytes: [UInt8]) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    func reads(_ parse: (String) throws(Malformed) -> Void) -> Bool {
      do throws(Malformed) {
        try parse(text)
        return true
      } catch {
        return false
      }
    }
    let understood = [
      reads { (text) throws(Malformed) in _ = try EmailAddress(parsing: text) },
      reads { (text) throws(Malformed) in _ = try PhoneNumber(parsing: text) },
      reads { (text) throws(Malformed) in _ = try PersonName(parsing: text) },
      reads { (text) throws(Malformed) in _ = try NetworkAddress(parsing: text) },
      reads { (text) throws(Malformed) in _ = try OneTimeCode(parsing: text) },
      reads { (text) throws(Malformed) in _ = try AccountID(parsing: text) },
      reads { (text) throws(Malformed) in
        let day = try CalendarDay(parsing: text)
        precondition(day.text.hasSameBytes(as: text), "a day is spelled in two ways")
      },
      reads { (text) throws(Malformed) in
        let decoded = try Base64URL.decode(text)
        precondition(Base64URL.encode(decoded).hasSameBytes(as: text), "one value has two texts")
      },
      WholeNumber.read(text, in: .min ... .max) != nil,
    ]
    if let format = PhotoFormat(of: bytes) {
      precondition(bytes.first != UInt8(ascii: "<"), "markup is read as a \(format) photo")
    }
    let preferredTags =
      MessageLanguage.preferredTags(acceptLanguage: text)
      + MessageLanguage.preferredTags(uiLocales: text)
    precondition(
      preferredTags.count <= 2 * MessageLanguage.tagLimit, "too many languages are listed")
    _ = MessageLanguage(preferredTags: preferredTags)
    return understood.contains(true)
  }
}
