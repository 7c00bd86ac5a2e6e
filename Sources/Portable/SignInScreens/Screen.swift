import SignInEngine
import SignInFlow
public import SignInModel
public import SignInWire

/// The content of the screen as data.
///
/// A shell draws these parts and has no knowledge of sign-in.
public struct Screen: Equatable, Sendable {
  /// A form is a small box in the middle.
  ///
  /// A page has a header and uses the whole space.
  public enum Layout: String, Sendable { case form, page }

  public let id: String
  /// The title of the browser tab, for people who have many tabs.
  public let title: String
  public let layout: Layout
  public var header: Header?
  public var statusBar: StatusBar?
  /// The place that is shown, as a path below the address of the app.
  public var path = ""
  /// The button that the system's own Back button presses.
  public var back: String?
  public var focus: FocusPosition?
  /// The language of the texts, as a BCP 47 tag.
  public var language = ""
  public var languageMenu: LanguageMenu?
  public var parts: [Part]
}

/// The menu of languages.
///
/// A choice edits the field `id` with the tag of a language.
public struct LanguageMenu: Equatable, Sendable {
  public let id: String
  public let label: String
  public let chosen: String
  public let choices: [LanguageChoice]
}

public struct LanguageChoice: Equatable, Sendable {
  public let code: String
  /// The name of the language in that language.
  public let name: String
}

/// The part that gets the focus.
///
/// The focus moves only when `serial` changes.
public struct FocusPosition: Equatable, Sendable {
  public let part: String
  public let serial: Int64
}

public indirect enum Part: Equatable, Sendable {
  /// The name of the product, and of the app that the person signs in to.
  case mark(id: String, name: String, app: String)
  case title(id: String, text: String)
  case text(id: String, text: Phrase, tone: Tone)
  /// A short text above a form, or a banner in its place.
  ///
  /// The parts below do not move.
  case lead(id: String, text: Phrase, banner: Banner?)
  case banner(Banner)
  /// A line between two ways to do the same, with a short text.
  case divider(id: String, text: String)
  case field(Field)
  case button(Button)
  /// A line of constant height, also without text.
  case note(id: String, text: String, severity: Severity? = nil)
  case progress(id: String, label: String)
  case sections(id: String, [Section])
  case empty(id: String, symbol: Symbol, title: String, text: String)
  /// The most important fact of a screen.
  ///
  /// The link opens a place on a map, or calls a number.
  case fact(id: String, symbol: Symbol, text: Phrase, link: Link? = nil)
  /// A few numbers that summarize the day.
  case figures(id: String, label: String, [Figure])
  /// A list viewport: the rows of a long list from the index `first`.
  case window(id: String, label: String, total: Int64, first: Int64, rows: [VirtualListRow])
  /// One item and all its details.
  case details(id: String, title: String, badges: [Badge], [Detail])
  /// A photo that the shell has under this digest, or a neutral picture in a box of the same size.
  ///
  /// Its alternative text is empty: the name beside it says what it shows (WCAG 1.1.1).
  case photo(id: String, digest: String)
  /// The item that a page is about.
  case subject(id: String, text: String, badge: Badge?)
  /// Items of one kind, each with its own button.
  case actionCards(id: String, [ActionCard])
  /// A modal question that the person must answer before anything else.
  case sheet(id: String, title: String, text: Phrase, form: SheetForm? = nil, buttons: [Button])
  /// The top-level pages of an app.
  case tabs(id: String, label: String, [TabChoice])
  /// Rows and columns, or one card per row on a narrow screen.
  case table(Table)
  /// Counts by day.
  case chart(Chart)
  /// Buttons that belong together.
  case actions(id: String, [Button])
  /// Fields that are placed in one row if there is enough width.
  case fields(id: String, [Field])
  /// A choice of any number of items.
  case checks(Checks)
  /// A list and the opened item: both if there is enough width, otherwise only the opened item.
  ///
  /// `chosen` is the row of the opened item. It is empty while `opened` only says what to choose,
  /// and `nil` if the list has the whole width until an item is opened.
  case split(id: String, list: [Part], opened: [Part], chosen: String? = nil)
  /// A short summary of the content below, and a button for it.
  case toolbar(id: String, text: Phrase, button: Button)
}

public struct Link: Equatable, Sendable {
  public let label: String
  public let address: String
}

public enum Tone: String, Sendable { case body, muted, caption }

public enum Severity: String, Sendable { case info, success, warning, error, neutral }

/// The symbols of our own set, always beside text.
public enum Symbol: String, Sendable {
  case back, calendar, clock, cloud, lock, parcel, person, phone, place, refresh
}

public struct Banner: Equatable, Sendable {
  public let id: String
  public let severity: Severity
  public let text: String
  /// The label of the button that closes the banner.
  ///
  /// It is `nil` if the banner cannot be closed.
  public let dismissal: String?
}

public struct Field: Equatable, Sendable {
  public enum Kind: Equatable, Sendable {
    case text
    /// A whole number.
    case number
    case email
    case search
    /// A day, as `2026-11-21`, or an empty text.
    case date
    /// Several lines of plain text.
    case lines
    /// `reveal` is the text of the button beside the field, `revealName` its accessibility name.
    case password(isRevealed: Bool, reveal: String, revealName: String)
    case code(digits: Int64)
    /// A choice of a few values.
    case choice([Choice])
    /// A calling code and the number.
    ///
    /// The field shows the button `change` when the number is fixed.
    case phone(country: Country, picker: CountryPicker, change: Button?)
  }

  public let id: String
  public let kind: Kind
  public let label: String
  public let value: String
  public var placeholder: String?
  public var help: String?
  public var error: String?
  public var isEnabled = true
  /// What the platform may fill in, as a value of HTML's `autocomplete`.
  public let autofill: String
}

public struct ActionCard: Equatable, Sendable {
  public let id: String
  public let title: String
  public let lines: [Phrase]
  public var badge: Badge?
  public var button: Button?
}

public struct Choice: Equatable, Sendable {
  public let value: String
  public let name: String
}

/// Further paragraphs of a modal question, and the field that must be filled in to confirm it.
public struct SheetForm: Equatable, Sendable {
  public let paragraphs: [String]
  public let field: Field
}

public struct Checks: Equatable, Sendable {
  public struct Check: Equatable, Sendable {
    public let item: String
    public let label: String
    public let isOn: Bool
    public var isEnabled = true
  }

  public let id: String
  public let label: String
  /// The button that a change of any item presses, with that item.
  public let button: String
  public let checks: [Check]
  /// Shown if there is no error.
  public var help: String?
  public var error: String?
}

public struct TabChoice: Equatable, Sendable {
  public let item: String
  public let label: String
  public let button: String
  public let isCurrent: Bool
}

public struct Table: Equatable, Sendable {
  public let id: String
  public let label: String
  public let columns: [String]
  public let rows: [TableRow]
  /// Whether the label is visible, if there are several tables on one page.
  public var showsLabel = false
  /// Selects all rows that have a box.
  public var check: RowCheck?
}

public struct TableRow: Equatable, Sendable {
  /// The content of one cell: text and badges.
  public struct Cell: Equatable, Sendable {
    public let text: Phrase
    public var badges: [Badge] = []
    /// Makes the text a button.
    public var action: RowAction?
  }

  public let id: String
  /// The first cell is the name of the row.
  public let cells: [Cell]
  /// A sentence about the row, below its name.
  public var note: String?
  /// Makes the first cell a button.
  public var action: RowAction?
  /// Whether the item of this row is shown beside the table.
  public var isCurrent = false
  /// Selects the row.
  public var check: RowCheck?
}

/// A box that selects a row of a table, or all of them.
public struct RowCheck: Equatable, Sendable {
  public let label: String
  public let isOn: Bool
  public let isEnabled: Bool
  public let action: RowAction
}

/// The texts of the country list.
///
/// The countries are those of `Country.all`.
public struct CountryPicker: Equatable, Sendable {
  public let label: String
  public let search: String
  /// The text if no country matches.
  public let none: String
  public let close: String
}

public struct Figure: Equatable, Sendable {
  public let label: String
  public let value: String
  /// Makes the figure a button that shows what it counts.
  public var action: RowAction?
}

public struct Button: Equatable, Sendable {
  public enum Kind: String, Sendable { case primary, secondary, quiet, link, dangerous }

  public let id: String
  public let kind: Kind
  public var label: String
  public var isEnabled = true
  public var isBusy = false
  /// A text beside a disabled button that says why or how long it is disabled.
  public var reason: String?
  public var symbol: Symbol?
  /// Whether the shell reports a press although the button is disabled, so that a reason is shown.
  var explainsItself = false

  /// For the button of a form: it is disabled until all fields are filled in.
  ///
  /// A press of the disabled button then shows which fields are empty.
  mutating func depend(on isComplete: Bool, isBusy: Bool) {
    isEnabled = isComplete
    self.isBusy = isBusy
    explainsItself = !isComplete && !isBusy
  }
  /// The item of this button, if there are several equal buttons.
  ///
  /// A press reports it.
  public var item: String?
}

public struct Header: Equatable, Sendable {
  public let place: String
  public let organization: String
  public let menu: Menu
}

public struct Menu: Equatable, Sendable {
  public let id: String
  public let label: String
  /// The accessibility name of the button: its label and the person's name.
  public let fullLabel: String
  public let isOpen: Bool
  public let name: String
  public let lines: [String]
  public let items: [Button]
}

/// A bar that is shown as long as its text is true.
///
/// It moves the content down and never covers it.
public struct StatusBar: Equatable, Sendable {
  public let id: String
  public let text: Phrase
}

public struct Section: Equatable, Sendable {
  public let id: String
  public let title: Phrase
  public let rows: [Row]
  /// The text if there are no rows.
  public let emptyText: String
  /// Makes the title a button that shows and hides the rows.
  public var fold: Fold?
  /// Whether the first row is what the person does now or next.
  public var isNext = false

  public struct Fold: Equatable, Sendable {
    public let button: String
    public let isOpen: Bool
  }
}

public struct Row: Equatable, Sendable {
  public let id: String
  /// The day, if the section does not say it.
  public var day: Moment?
  public let from: Moment
  public let to: Moment
  public let title: String
  public let lines: [Line]
  public let badge: Badge
  /// Makes the title of the row a button.
  ///
  /// The label of the button is the title.
  public var action: RowAction?

  public struct Line: Equatable, Sendable {
    public let symbol: Symbol
    public let text: String
  }
}

/// A row of a list viewport, always of the same height.
public struct VirtualListRow: Equatable, Sendable {
  public let id: String
  public let title: String
  public let line: String
  public let badge: Badge
  public let note: Phrase
  /// The digest of a photo, which the shell shows small beside the texts.
  public var photo: String?
  public let action: RowAction
}

public struct Detail: Equatable, Sendable {
  /// A text that is shown in groups and copied as a whole.
  public struct Copy: Equatable, Sendable {
    public let groups: [String]
    public let label: String
    public let fullLabel: String
    public let done: String
  }

  public let label: String
  public let text: Phrase
  public var copy: Copy?
}

public struct RowAction: Equatable, Sendable {
  public let button: String
  public let item: String
}

public struct Badge: Equatable, Sendable {
  public let text: String
  public let severity: Severity
}

/// A moment, and its text in the person's format.
public struct Moment: Equatable, Sendable {
  /// `day` is a heading with the day of the week.
  ///
  /// `date` includes the year.
  public enum Style: String, Sendable { case clock, day, date, dateAndTime }

  public let seconds: Int64
  public let style: Style
  public let text: String
}

/// A text that can contain moments, and parts without line breaks.
public struct Phrase: Equatable, Sendable {
  public enum Piece: Equatable, Sendable {
    case words(String)
    case unbroken(String)
    case moment(Moment)
    /// A shell shows the country by its name in the language of the page.
    case place(SessionPlace)
  }

  public let pieces: [Piece]

  public init(_ text: String) { pieces = [.words(text)] }

  /// Inserts the piece in the place of `{name}` in the sentence.
  init(_ sentence: String, filling piece: Piece) {
    var pieces: [Piece] = []
    var words: [UInt8] = []
    for byte in sentence.utf8 {
      switch byte {
      case UInt8(ascii: "{"):
        if !words.isEmpty { pieces.append(.words(String(decoding: words, as: UTF8.self))) }
        words = []
      case UInt8(ascii: "}"):
        pieces.append(piece)
        words = []
      default: words.append(byte)
      }
    }
    if !words.isEmpty { pieces.append(.words(String(decoding: words, as: UTF8.self))) }
    self.pieces = pieces
  }

  init(_ moment: Moment) { pieces = [.moment(moment)] }

  init(_ pieces: [Piece]) { self.pieces = pieces }
}
