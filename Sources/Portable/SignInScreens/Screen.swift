public import SignInFlow
import SignInModel

/// What is shown, as data: a shell draws these few parts and knows nothing of signing in.
public struct Screen: Equatable, Sendable {
  /// A form stands alone and calm; a page has a header and fills the window.
  public enum Layout: String, Sendable { case form, page }

  public let id: String
  /// Of the window, for those who have many.
  public let title: String
  public let layout: Layout
  public var header: Header?
  public var statusBar: StatusBar?
  /// The button the system's own way back presses.
  public var back: String?
  public var focus: FocusPlace?
  /// What its words are written in, as a BCP 47 tag.
  public var language = ""
  public var languageMenu: LanguageMenu?
  public var parts: [Part]
}

/// A quiet way to other languages; what is edited is the tag of one of them.
public struct LanguageMenu: Equatable, Sendable {
  public let id: String
  public let label: String
  public let chosen: String
  public let choices: [LanguageChoice]
}

public struct LanguageChoice: Equatable, Sendable {
  public let code: String
  /// In that language.
  public let name: String
}

/// Which part takes the focus; it moves when `serial` changes and at no other time.
public struct FocusPlace: Equatable, Sendable {
  public let part: String
  public let serial: Int64
}

public indirect enum Part: Equatable, Sendable {
  /// Whose app this is.
  case mark(id: String, name: String)
  case title(id: String, text: String)
  case text(id: String, text: Phrase, tone: Tone)
  /// Calm words above a form, or a banner in their place: neither moves what is below.
  case lead(id: String, text: Phrase, banner: Banner?)
  case banner(Banner)
  case field(Field)
  case button(Button)
  /// A line that keeps its room while it has nothing to say.
  case note(id: String, text: String, severity: Severity? = nil)
  case progress(id: String, label: String)
  case sections(id: String, [Section])
  case empty(id: String, symbol: Symbol, title: String, text: String)
  /// The one thing to take away from a screen.
  case fact(id: String, symbol: Symbol, text: Phrase)
  /// A few numbers that say how the day stands.
  case figures(id: String, label: String, [Figure])
  /// Some rows of a list too long to draw whole: those from `first` on.
  case window(id: String, label: String, total: Int64, first: Int64, rows: [WindowRow])
  /// One thing and all that is known of it.
  case details(id: String, title: String, badges: [Badge], [Detail])
  /// What a page is about.
  case subject(id: String, text: String, badge: Badge?)
  /// Things of a kind, each with one button of its own.
  case actionCards(id: String, [ActionCard])
  /// Asks something before anything else can be done; nothing behind it can be reached.
  case sheet(id: String, title: String, text: Phrase, form: SheetForm? = nil, buttons: [Button])
  /// The places of an app that stand beside each other.
  case tabs(id: String, label: String, [TabChoice])
  /// Rows and columns; on a narrow window each row is a card.
  case table(Table)
  /// Buttons that belong together.
  case actions(id: String, [Button])
  /// Fields that stand side by side where there is room.
  case fields(id: String, [Field])
  /// Things of which any number is chosen.
  case checks(Checks)
  /// A list, and what was opened from it: side by side where there is room, or else the latter.
  case split(id: String, list: [Part], opened: [Part])
  /// What follows, in a few words, and the button that acts on it.
  case toolbar(id: String, text: Phrase, button: Button)
}

public enum Tone: String, Sendable { case body, muted, caption }

public enum Severity: String, Sendable { case info, success, warning, error, neutral }

/// The pictures of our own set, always beside words.
public enum Symbol: String, Sendable {
  case back, calendar, clock, cloud, lock, parcel, person, place, refresh
}

public struct Banner: Equatable, Sendable {
  public let id: String
  public let severity: Severity
  public let text: String
  /// The name of the way to dismiss it; nil when it must stay.
  public let dismissal: String?
}

public struct Field: Equatable, Sendable {
  public enum Kind: Equatable, Sendable {
    case text
    /// A whole number.
    case number
    case email
    case search
    /// Several lines of plain text.
    case lines
    /// `reveal` is what the button beside it shows, `revealName` what it is called in full.
    case password(isRevealed: Bool, reveal: String, revealName: String)
    case code(digits: Int64)
    /// One of a few, by its value.
    case choice([Choice])
    /// A calling code and the number after it; `change` stands in the field once it is settled.
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
  /// What the platform may fill in by itself, in HTML's words.
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

/// What a question says besides, and the field that must be filled in to answer it.
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
  /// Pressed with the item that is chosen, or not any more.
  public let button: String
  public let checks: [Check]
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
  /// Whether the label can be seen, where several tables stand below each other.
  public var showsLabel = false
}

public struct TableRow: Equatable, Sendable {
  /// One thing in one column: words, or words that stand out.
  public struct Cell: Equatable, Sendable {
    public let text: Phrase
    public var badges: [Badge] = []
  }

  public let id: String
  /// The first names the row.
  public let cells: [Cell]
  /// Makes the first cell a button.
  public var action: RowAction?
  /// What was opened from this row is shown beside.
  public var isCurrent = false
}

/// The words of the list that a country is chosen from; the countries are those of `Country.all`.
public struct CountryPicker: Equatable, Sendable {
  public let label: String
  public let search: String
  /// What is said when no country is found.
  public let none: String
  public let close: String
}

public struct Figure: Equatable, Sendable {
  public let label: String
  public let value: String
}

public struct Button: Equatable, Sendable {
  public enum Kind: String, Sendable { case primary, secondary, quiet, link, dangerous }

  public let id: String
  public let kind: Kind
  public var label: String
  public var isEnabled = true
  public var isBusy = false
  /// Stands beside a button that must wait, and says why or how long.
  public var reason: String?
  public var symbol: Symbol?
  /// Told of a press although it is disabled: it says why it is.
  var explainsItself = false

  /// The button of a form: disabled until everything is filled in, and then explaining what is not.
  mutating func depend(on isComplete: Bool, isBusy: Bool) {
    isEnabled = isComplete
    self.isBusy = isBusy
    explainsItself = !isComplete && !isBusy
  }
  /// Which of many alike is meant; it is told with the press.
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
  /// What the button is called in full: its label and the person's name.
  public let fullLabel: String
  public let initials: String
  public let isOpen: Bool
  public let name: String
  public let lines: [String]
  public let items: [Button]
}

/// Stays for as long as it is true; pushes what is below, never covers it.
public struct StatusBar: Equatable, Sendable {
  public let id: String
  public let text: Phrase
}

public struct Section: Equatable, Sendable {
  public let id: String
  public let title: Phrase
  public let rows: [Row]
  /// What is said when there are no rows.
  public let emptyText: String
}

public struct Row: Equatable, Sendable {
  public let id: String
  public let from: Moment
  public let to: Moment
  public let title: String
  public let lines: [Line]
  public let badge: Badge
  /// Makes the title of the row a button; its label is the title.
  public var action: RowAction?

  public struct Line: Equatable, Sendable {
    public let symbol: Symbol
    public let text: String
  }
}

/// A row of a window: always of one height.
public struct WindowRow: Equatable, Sendable {
  public let id: String
  public let title: String
  public let line: String
  public let badge: Badge
  public let note: Phrase
  public let action: RowAction
}

public struct Detail: Equatable, Sendable {
  /// A text that is read in groups and copied whole.
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

/// A moment, and how the person writes it.
public struct Moment: Equatable, Sendable {
  /// `day` is a heading with the day of the week, `date` has the year.
  public enum Style: String, Sendable { case clock, day, date, dateAndTime }

  public let seconds: Int64
  public let style: Style
  public let text: String
}

/// Words with moments among them, and words that belong on one line.
public struct Phrase: Equatable, Sendable {
  public enum Piece: Equatable, Sendable {
    case words(String)
    case unbroken(String)
    /// A name in whichever direction it is written.
    case isolated(String)
    case moment(Moment)
  }

  public let pieces: [Piece]

  public init(_ text: String) { pieces = [.words(text)] }

  /// Puts the piece where the sentence has its `{name}`.
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
}
