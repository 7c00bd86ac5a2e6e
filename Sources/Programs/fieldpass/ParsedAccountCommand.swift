import Glibc
import SignInModel
import SignInService
import SignInWire

/// The action of an account command, with its options checked.
enum ParsedAccountCommand: Sendable {
  case create(AccountCreation)
  case list(AccountQuery)
  case one(String, AccountCommand.Verb, password: Secret?)
  case edit(String, AccountChange)
  case export(String)
  case erase(String)
  case invite(String, app: String?)
  case importFile(String, app: String?)
}

/// A command line that is not valid.
struct InvalidArguments: Error {
  let what: String
  let hint: String

  init(_ what: String, hint: String) {
    self.what = what
    self.hint = hint
  }
}

extension UnparsedAccount.Member {
  fileprivate var words: String {
    switch self {
    case .name: "name"
    case .role: "role"
    case .email: "e-mail address"
    case .phoneNumber: "phone number"
    case .organizations: "organization"
    case .permissions: "permission"
    }
  }
}

extension AccountCommand {
  func parsed(_ password: Secret?) throws(InvalidArguments) -> ParsedAccountCommand {
    switch verb {
    case .create: return .create(try creation(password))
    case .list:
      return .list(
        AccountQuery(
          options["--query"] ?? "", status: try status(options["--status"]),
          role: try role(options["--role"])
        )
      )
    case .invite: return .invite(account ?? "", app: try app(options["--app"]))
    case .edit: return .edit(account ?? "", try change())
    case .export: return .export(account ?? "")
    case .erase: return .erase(account ?? "")
    case .importFile: return .importFile(account ?? "", app: try app(options["--app"]))
    case .show, .change, .unlock, .reset, .approveReset:
      return .one(account ?? "", verb, password: password)
    }
  }

  /// Checks the address of an app, to which the fragment with an invitation is added.
  private func app(_ text: String?) throws(InvalidArguments) -> String? {
    guard let text else { return nil }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count > 3, ["https:", "http:"].contains(parts[0]), parts[1].isEmpty,
      !parts[2].isEmpty, text.last == "/",
      text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"#?@\"<>\\".utf8.contains($0) })
    else {
      throw InvalidArguments(
        "`--app \(text)` is not the address of an app",
        hint: "write it as https://login.example.com/app/technician-app/"
      )
    }
    return text
  }

  private func creation(_ password: Secret?) throws(InvalidArguments) -> AccountCreation {
    _ = try role(options["--role"])
    var written = UnparsedAccount()
    written.name = options["--name"]
    written.role = options["--role"]
    written.email = options["--email"]
    written.phone = options["--phone"]
    written.password = password
    written.organizations = organizations
    written.permissions = try permission()?.grants
    guard written.role != nil, written.name != nil else {
      throw InvalidArguments(
        "`account create` needs --role and --name",
        hint: "run `fieldpass account create --help`"
      )
    }
    do throws(Refusal) {
      return try AccountCreation(parsing: written)
    } catch {
      let problems = error.mistakes.map { "the \(Self.words($0.member)) \($0.problem)" }
      let remedies = error.mistakes.map { "\(Self.words($0.member)): \($0.remedy)" }
      throw InvalidArguments(
        problems.joined(separator: "; "), hint: remedies.joined(separator: "; "))
    }
  }

  private static func words(_ member: String) -> String {
    UnparsedAccount.Member.allCases.first { $0.field.rawValue == member }?.words ?? member
  }

  private func permission() throws(InvalidArguments) -> Permission? {
    guard !permissions.isEmpty else { return nil }
    guard permissions.count <= Permission.grantLimit,
      let permission = Permission(words: permissions)
    else {
      throw InvalidArguments(
        "a permission is malformed",
        hint: "write viewer, support or administrator, or support:north")
    }
    return permission
  }

  private func change() throws(InvalidArguments) -> AccountChange {
    var change = AccountChange()
    change.role = try role(options["--role"])
    change.permission = try permission()
    do throws(Malformed) {
      if let name = options["--name"] { change.name = try PersonName(written: name) }
      if let email = options["--email"] { change.email = .set(try EmailAddress(parsing: email)) }
      if let phone = options["--phone"] { change.phone = .set(try PhoneNumber(parsing: phone)) }
      if !organizations.isEmpty {
        change.organizations = try organizations.map { (text) throws(Malformed) in
          try OrganizationID(parsing: text)
        }
      }
    } catch {
      throw InvalidArguments(
        error.value == .phoneZero
          ? "the number has a 0 after its calling code that may not belong to it"
          : "a name, address, number or organization is malformed",
        hint: "write numbers as +4790000001 and addresses as name@example.com")
    }
    if flags.contains(.removeEmail) {
      guard change.email == nil else {
        throw InvalidArguments(
          "an address is both given and removed", hint: "remove one of the two options")
      }
      change.email = .removed
    }
    if flags.contains(.removePhone) {
      guard change.phone == nil else {
        throw InvalidArguments(
          "a number is both given and removed", hint: "remove one of the two options")
      }
      change.phone = .removed
    }
    guard !change.isEmpty else {
      throw InvalidArguments(
        "`account edit` needs something to change", hint: "run `fieldpass account edit --help`")
    }
    return change
  }

  private func role(_ text: String?) throws(InvalidArguments) -> AccountRole? {
    guard let text else { return nil }
    guard let role = AccountRole(rawValue: text) else {
      let known = AccountRole.allCases.map { $0.rawValue }.joined(separator: ", ")
      throw InvalidArguments("there is no role `\(text)`", hint: "name one of \(known)")
    }
    return role
  }

  private func status(_ text: String?) throws(InvalidArguments) -> AccountStatus? {
    guard let text else { return nil }
    guard let status = AccountStatus(rawValue: text) else {
      throw InvalidArguments(
        "there is no status `\(text)`", hint: "name active, deactivated, pending or rejected"
      )
    }
    return status
  }

  /// The password, from a file or from standard input.
  ///
  /// It is not an argument, because every user of the machine can read the arguments of a process.
  func password() throws(StartFault) -> Secret? {
    guard let path = options["--password-file"] else { return nil }
    if path == "-" {
      if isatty(STDIN_FILENO) != 0 { say("password (one line, not shown):") }
      let line = Array((Terminal.readHiddenLine() ?? "").utf8)
      return Secret(String(decoding: FileText.withoutMark(line), as: UTF8.self))
    }
    do throws(FileFault) {
      try Files.checkPrivate(path)
      return Secret(try FileText.firstLine(try Files.read(path), of: path))
    } catch {
      throw StartFault(error)
    }
  }
}

/// Writes a message to standard error, so that it does not mix with the data on standard output.
func say(_ line: String) { LineWriter.standardError.write("fieldpass: " + line) }

enum Terminal {
  /// A line of standard input.
  ///
  /// A terminal does not show the typed characters.
  static func readHiddenLine() -> String? {
    var shown = termios()
    guard tcgetattr(STDIN_FILENO, &shown) == 0 else { return readLine() }
    var hidden = shown
    hidden.c_lflag &= ~tcflag_t(ECHO)
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
    defer { tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown) }
    return readLine()
  }
}
