import SignInEngine
import SignInModel
import SignInWire

/// What an administrator looks for in the security log or in the delivery log.
///
/// Its texts are those of the fields and of the address. Days are in UTC, as on the overview, and
/// both are included.
public struct LogFilter: Equatable, Sendable {
  /// The account of events, or the destination of messages.
  public private(set) var text = ""
  public private(set) var kind = ""
  public private(set) var client = ""
  public private(set) var outcome = ""
  public private(set) var from = ""
  public private(set) var until = ""
  /// Whether the text is the identifier of the account that the messages were for, which only an
  /// address can name.
  private var isAccount = false
  /// Whether a field was edited and the list was not read since.
  private var isEdited = false
  /// When the list is read again after typing.
  private(set) var searchAt: Instant?

  init() {}

  public var isEmpty: Bool {
    var other = LogFilter()
    (other.searchAt, other.isEdited) = (searchAt, isEdited)
    return self == other
  }

  /// Whether the text can be an identifier or a whole address or number.
  ///
  /// The server refuses a part of one.
  public var isTextWhole: Bool {
    if text.isEmpty { return true }
    do throws(Malformed) {
      _ = try AccountReference(parsing: text)
      return true
    } catch {
      return false
    }
  }

  /// As `isTextWhole`, for messages, which have no identifiers.
  public var isDestinationWhole: Bool {
    isAccount || text.isEmpty || EmailAddress(typed: text).isPresent
      || PhoneNumber(typed: text).isPresent
  }

  /// Takes the content of a field, and returns whether the list must be read now.
  mutating func edit(_ field: FieldName, _ value: String, at now: Instant) -> Bool {
    switch field {
    case .search:
      text = value
      (isAccount, isEdited) = (false, true)
      searchAt = now.adding(milliseconds: ConsoleHome.searchPauseMilliseconds)
      return false
    case .kind: kind = value
    case .client: client = value
    case .outcome: outcome = value
    case .from: from = value
    case .until: until = value
    default: return false
    }
    isEdited = true
    return true
  }

  /// Whether the list was read after an edit, for the first time.
  ///
  /// While a person types, an answer is one to the filter before, so the edit is not taken.
  mutating func takeEdit() -> Bool {
    let wasEdited = isEdited
    if searchAt == nil { isEdited = false }
    return wasEdited
  }

  mutating func stopWaiting() { searchAt = nil }

  func isDue(at now: Instant) -> Bool { searchAt.map { $0 <= now } ?? false }

  // MARK: Addresses and requests

  init(events form: Form) {
    let query = EventsQuery(form)
    text = query.account ?? ""
    kind = query.kind ?? ""
    client = query.client ?? ""
    setTime(query.time)
  }

  init(messages form: Form) {
    let query = MessagesQuery(form)
    isAccount = query.account != nil
    text = query.account ?? query.to ?? ""
    kind = query.kind ?? ""
    outcome = query.outcome ?? ""
    setTime(query.time)
  }

  private mutating func setTime(_ time: TimeQuery) {
    from = time.from ?? ""
    until = time.until ?? ""
  }

  private static func value(_ text: String) -> String? { text.isEmpty ? nil : text }

  var eventPlace: EventsQuery {
    EventsQuery {
      $0.account = Self.value(text)
      $0.kind = Self.value(kind)
      $0.client = Self.value(client)
      $0.time.from = Self.value(from)
      $0.time.until = Self.value(until)
    }
  }

  var messagePlace: MessagesQuery {
    MessagesQuery {
      if isAccount { $0.account = text } else { $0.to = Self.value(text) }
      $0.kind = Self.value(kind)
      $0.outcome = Self.value(outcome)
      $0.time.from = Self.value(from)
      $0.time.until = Self.value(until)
    }
  }

  /// The fields of a request for events.
  var events: [Form.Field] {
    var query = eventPlace
    if !isTextWhole { query.account = nil }
    query.time = time
    return query.form.fields
  }

  /// The fields of a request for messages.
  var messages: [Form.Field] {
    var query = messagePlace
    if !isDestinationWhole { query.to = nil }
    query.time = time
    return query.form.fields
  }

  private var time: TimeQuery {
    TimeQuery {
      $0.from = Self.midnight(from, addingDays: 0)
      $0.until = Self.midnight(until, addingDays: 1)
    }
  }

  /// The beginning of a day in Unix seconds; `nil` if the text is no day.
  private static func midnight(_ text: String, addingDays days: Int64) -> String? {
    do throws(Malformed) {
      let day = try CalendarDay(parsing: text).adding(days: days)
      return "\(max(0, day.number) * CalendarDay.daySeconds)"
    } catch {
      return nil
    }
  }
}
