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
    case dryRun = "--dry-run"
    case invite = "--invite"
    case skipExisting = "--skip-existing"
    case removeEmail = "--remove-email"
    case removePhone = "--remove-phone"
  }

  let verb: Verb
  let place: DataLocation
  let isJSON: Bool
  /// An identifier, an e-mail address, a phone number, or the file to import.
  let account: String?
  /// The options that have a value, by name.
  let options: [String: String]
  let organizations: [String]
  let permissions: [String]
  let flags: Set<Flag>

  static let usage = """
    fieldpass account VERB [--data DIR] [--config FILE] [--json]
                       administer accounts, also while the server runs on DIR

      create --role ROLE --name NAME [--phone NUMBER] [--email ADDRESS]
             [--organization ID]… [--permission WORD]… [--password-file FILE]
      edit   [--name NAME] [--email ADDRESS | --remove-email] [--phone NUMBER | --remove-phone]
             [--role ROLE] [--organization ID]… [--permission WORD]… ACCOUNT
      import [--dry-run] [--invite [--app URL]] [--skip-existing] FILE
      list   [--query TEXT] [--status STATUS] [--role ROLE]
      show | deactivate | reactivate | approve | reject | unlock ACCOUNT
      reset  [--password-file FILE] ACCOUNT
      invite [--send] [--app URL] ACCOUNT
      approve-reset ACCOUNT
      export ACCOUNT          print everything that is stored about the person, as JSON
      erase ACCOUNT           erase the person's data; the security log keeps only the identifier

      --data DIR              the server's data folder (default: .data)
      --config FILE           the server's configuration, which names that folder, the
                              organizations and the breached passwords
      --development           in place of --config, for the demo's organizations
      ACCOUNT                 an identifier, an e-mail address or a phone number such as
                              +4790000001; write `--` before one that begins with --
      ROLE                    technician, rider, owner, mentor or administrator
      STATUS                  active, deactivated, pending or rejected
      --organization ID       one of the configured organizations; needs --config
      --permission WORD       what an administrator may do: viewer, support or administrator; for
                              one organization, such as support:north (default: administrator)
      --password-file FILE    the first line is the password; `-` is standard input. Without this
                              option the person chooses a password with an invitation
      --app URL               the address of the person's app, such as
                              https://login.example.com/app/technician-app/
      --json                  one JSON object on standard output

    `reset` unlocks the account, ends every session and removes the password. `invite` prints an
    invitation for an account without a password. It is valid once, for seven days, and replaces
    an earlier one. The link leads to the page `--app`, otherwise to the first configured app that
    uses passwords, accepts the role and has a page. Without `--app` and `--config`, add the
    invitation to the app's address as `#invitation=…`.
    `approve-reset` activates a new password that the person chose on an unknown device.

    `edit` changes only what the options name. New organizations and permissions replace all
    earlier ones. The person gets a notice at the old number or address. `import` reads a CSV file
    with the columns name, role, phone_number, email, organizations, permissions and password_hash.
    It writes nothing if the file has a mistake. `--dry-run` only checks the file. `--skip-existing`
    leaves out people who have an account. `--invite` and `--send` send an invitation by e-mail,
    or by text message to a person without an address; they need --config.

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
    case .importFile: [.dryRun, .invite, .skipExisting]
    case .edit: [.removeEmail, .removePhone]
    case .create, .list, .show, .change, .unlock, .reset, .approveReset, .export, .erase: []
    }
  }
}
