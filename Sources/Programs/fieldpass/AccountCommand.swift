import SignInModel
import SignInService

/// The parsed arguments of `fieldpass account …`.
///
/// The command performs use cases of the console for a person with shell access.
struct AccountCommand {
  enum Verb: Equatable {
    case create
    case list
    case show
    case change(Account.Transition)
    case unlock
    case reset
    case invite
    case approveReset
    case edit
    case export
    case erase
    case importFile
  }

  /// An option without a value.
  enum Flag: String, CaseIterable {
    case send = "--send"
    case preview = "--preview"
    case invite = "--invite"
    case skipExisting = "--skip-existing"
    case removeEmail = "--remove-email"
  }

  let verb: Verb
  let place: DataLocation
  let isJSON: Bool
  /// An identifier, an e-mail address, or the file to import.
  let account: String?
  /// The options that have a value, by name.
  let options: [String: String]
  let organizations: [String]
  let permissions: [String]
  let flags: Set<Flag>

  static let usage = """
    fieldpass account VERB [--data DIR] [--config FILE] [--json]
                       look after accounts, also while the server runs on DIR

      create --role ROLE --name NAME --phone NUMBER [--email ADDRESS]
             [--organization ID]… [--permission WORD]… [--password-file FILE]
      edit   [--name NAME] [--email ADDRESS | --remove-email] [--phone NUMBER] [--role ROLE]
             [--organization ID]… [--permission WORD]… ACCOUNT
      import [--preview] [--invite [--app URL]] [--skip-existing] FILE
      list   [--query TEXT] [--status STATUS] [--role ROLE]
      show | deactivate | reactivate | approve | reject | unlock ACCOUNT
      reset  [--password-file FILE] ACCOUNT
      invite [--send] [--app URL] ACCOUNT
      approve-reset ACCOUNT
      export ACCOUNT          print everything that is stored about the person, as JSON
      erase ACCOUNT           erase it; the security log keeps the identifier alone

      --data DIR              the server's data folder (default: .data)
      --config FILE           the server's configuration, which names that folder, the
                              organizations and the breached passwords
      --development           in place of --config, for the demo's organizations
      ACCOUNT                 an identifier or an e-mail address; after `--` it may begin with --
      ROLE                    technician, rider, owner, mentor or administrator
      STATUS                  active, deactivated, pending or rejected
      --organization ID       needs --config, to know which ones there are
      --permission WORD       of an administrator: viewer, support or administrator, everywhere, or
                              in one organization as support:north (default: administrator)
      --password-file FILE    the first line is the password; `-` is standard input. Without it
                              the person chooses one with an invitation
      --app URL               where the person's app is, such as
                              https://login.example.com/app/technician-app/
      --json                  one JSON object on standard output

    `reset` opens the lock, ends every session and forgets the password. `invite` prints an
    invitation for an account without a password: it works once, for seven days, and voids the one
    before. Without `--app`, add it to the app's address as `#invitation=…`. `approve-reset` lets
    a new password take effect at once that was chosen on an unknown device.

    `edit` changes what is named and nothing else; organizations and permissions replace all there
    were. The person is told of a new number or address at the old one. `import` reads a CSV file
    with the columns name, role, phone_number, email, organizations, permissions and password_hash,
    and writes nothing if anything is wrong with it; `--preview` writes nothing at all. `--invite`
    and `--send` send an invitation by e-mail, or else by text message; they need --config.

    """

  /// Parses the arguments after `account`.
  ///
  /// Returns `.mistake` if they are not valid.
  static func read(_ arguments: ArraySlice<String>) -> Command {
    var rest = arguments
    guard let word = rest.popFirst() else { return .mistake("`account` needs a verb") }
    guard let verb = Verb(word) else { return .mistake("`account` has no verb `\(word)`") }
    var options: [String: String] = [:]
    var organizations: [String] = []
    var permissions: [String] = []
    var flags: Set<Flag> = []
    var accounts: [String] = []
    var isJSON = false
    var place = DataLocation()
    while let argument = rest.popFirst() {
      if argument == "--json" {
        isJSON = true
      } else if argument == "--development" {
        place.isDevelopment = true
      } else if argument == "--" {
        // After `--`, an identifier may begin with hyphens.
        accounts += rest
        rest = []
      } else if !argument.hasPrefix("--") {
        accounts.append(argument)
      } else if let flag = Flag(rawValue: argument), verb.flags.contains(flag) {
        flags.insert(flag)
      } else if !verb.optionNames.contains(argument) {
        return .mistake("`account \(word)` does not take `\(argument)`")
      } else if let value = rest.popFirst() {
        if argument == "--organization" {
          organizations.append(value)
        } else if argument == "--permission" {
          permissions.append(value)
        } else if options.updateValue(value, forKey: argument) != nil {
          return .mistake("`\(argument)` is given twice")
        }
      } else {
        return .mistake("`\(argument)` needs a value")
      }
    }
    for name in DataLocation.optionNames {
      if let value = options[name] { place.set(name, to: value) }
    }
    guard accounts.count == (verb.namesAccount ? 1 : 0) else {
      return .mistake(
        verb.namesAccount
          ? "`account \(word)` needs one \(verb == .importFile ? "FILE" : "ACCOUNT")"
          : "`account \(word)` takes no ACCOUNT"
      )
    }
    return .account(
      AccountCommand(
        verb: verb, place: place, isJSON: isJSON, account: accounts.first, options: options,
        organizations: organizations, permissions: permissions, flags: flags
      )
    )
  }
}

extension AccountCommand.Verb {
  init?(_ word: String) {
    switch word {
    case "create": self = .create
    case "list": self = .list
    case "show": self = .show
    case "unlock": self = .unlock
    case "reset": self = .reset
    case "invite": self = .invite
    case "approve-reset": self = .approveReset
    case "edit": self = .edit
    case "export": self = .export
    case "erase": self = .erase
    case "import": self = .importFile
    default:
      guard let transition = Account.Transition(rawValue: word) else { return nil }
      self = .change(transition)
    }
  }

  var namesAccount: Bool { self != .create && self != .list }

  var optionNames: Set<String> {
    let own: Set<String> =
      switch self {
      case .create:
        [
          "--role", "--name", "--phone", "--email", "--organization", "--permission",
          "--password-file",
        ]
      case .edit: ["--role", "--name", "--phone", "--email", "--organization", "--permission"]
      case .list: ["--query", "--status", "--role"]
      case .reset: ["--password-file"]
      case .invite, .importFile: ["--app"]
      case .show, .change, .unlock, .approveReset, .export, .erase: []
      }
    return own.union(DataLocation.optionNames)
  }

  var flags: Set<AccountCommand.Flag> {
    switch self {
    case .invite: [.send]
    case .importFile: [.preview, .invite, .skipExisting]
    case .edit: [.removeEmail]
    case .create, .list, .show, .change, .unlock, .reset, .approveReset, .export, .erase: []
    }
  }
}
