import Glibc
import SignInHTTP
import SignInService

/// The parsed command line.
enum Command {
  case serve(ServeOptions)
  case account(AccountCommand)
  /// Prints the OpenAPI document.
  case openAPI
  case events(EventsCommand.Options)
  case messages(MessagesCommand.Options)
  case keys(KeysCommand.Options)
  case demo(DemoCommand.Options)
  case backup(BackupCommand.Options)
  case restore(RestoreCommand.Options)
  case migrate(MigrateCommand.Options)
  case dataImport(ImportCommand.Options)
  case provider(ProviderCommand.Options)
  case capacity(CapacityCommand.Options)
  /// Prints the usage of a command.
  case help(String)
  case version
  case mistake(String)

  static let versionNumber = OpenAPI.version

  static let usage = """
    \(ServeOptions.usage)

    \(AccountCommand.usage)
    \(EventsCommand.usage)

    \(MessagesCommand.usage)

    \(BackupCommand.usage)

    \(RestoreCommand.usage)

    \(MigrateCommand.usage)

    \(KeysCommand.usage)
    \(DemoCommand.usage)
    \(ImportCommand.usage)
    \(ProviderCommand.usage)
    \(CapacityCommand.usage)
    \(otherUsage)

    `fieldpass COMMAND --help` shows the options of one command.

    \(ExitStatus.usage)
    """

  private static let otherUsage = """
    fieldpass openapi  print the OpenAPI document of the HTTP interface
    fieldpass help     show this text
    fieldpass version  show the version
    """

  /// The usage of one command; `nil` if the command does not exist.
  private static func usage(of command: String, _ subcommand: String?) -> String? {
    switch (command, subcommand) {
    case ("serve", _): ServeOptions.usage
    case ("account", _): AccountCommand.usage + "\n" + ExitStatus.usage
    case ("events", _): EventsCommand.usage
    case ("messages", "send"): MessagesCommand.sendUsage
    case ("messages", "cost"): CostOptions.usage
    case ("messages", _): MessagesCommand.usage
    case ("keys", _): KeysCommand.usage
    case ("demo", _): DemoCommand.usage
    case ("backup", _): BackupCommand.usage
    case ("restore", _): RestoreCommand.usage
    case ("migrate", _): MigrateCommand.usage
    case ("provider", _): ProviderCommand.usage + "\n" + ExitStatus.usage
    case ("capacity", _): CapacityCommand.usage
    case ("import", _): ImportCommand.usage + "\n" + ExitStatus.usage
    case ("openapi", _), ("version", _), ("--version", _): otherUsage
    case ("help", _), ("--help", _), ("-h", _): usage
    default: nil
    }
  }

  init(_ arguments: ArraySlice<String>) {
    // Arguments after `--` are not options: they can be the name of an account.
    let asksForHelp = arguments.dropFirst().prefix { $0 != "--" }
      .contains { $0 == "--help" || $0 == "-h" }
    if asksForHelp, let command = arguments.first,
      let usage = Self.usage(of: command, arguments.dropFirst().first)
    {
      self = .help(usage)
      return
    }
    switch arguments.first {
    case nil, "help", "--help", "-h": self = .help(Self.usage)
    case "version", "--version": self = .version
    case "openapi": self = .openAPI
    case "account": self = AccountCommand.read(arguments.dropFirst())
    case "serve": self = Self.serve(arguments.dropFirst())
    case "events":
      self = Self.read(EventsCommand.Options.parse(arguments.dropFirst()), Command.events)
    case "messages":
      self = Self.read(MessagesCommand.Options.parse(arguments.dropFirst()), Command.messages)
    case "backup":
      self = Self.read(BackupCommand.Options.parse(arguments.dropFirst()), Command.backup)
    case "restore":
      self = Self.read(RestoreCommand.Options.parse(arguments.dropFirst()), Command.restore)
    case "migrate":
      self = Self.read(MigrateCommand.Options.parse(arguments.dropFirst()), Command.migrate)
    case "demo": self = Self.read(DemoCommand.Options.parse(arguments.dropFirst()), Command.demo)
    case "import":
      self = Self.read(ImportCommand.parse(arguments.dropFirst()), Command.dataImport)
    case "provider":
      self = Self.read(ProviderCommand.Options.parse(arguments.dropFirst()), Command.provider)
    case "capacity":
      self = Self.read(CapacityCommand.Options.parse(arguments.dropFirst()), Command.capacity)
    case "keys": self = Self.read(KeysCommand.Options.parse(arguments.dropFirst()), Command.keys)
    case let other?: self = .mistake("there is no command `\(other)`")
    }
  }

  private static func read<Options>(
    _ parsed: Result<Options, CommandMistake>, _ command: (Options) -> Command
  ) -> Command {
    switch parsed {
    case .success(let options): command(options)
    case .failure(let mistake): .mistake(mistake.what)
    }
  }

  private static func serve(_ arguments: ArraySlice<String>) -> Command {
    var options = ServeOptions()
    var rest = arguments
    while let name = rest.popFirst() {
      if name == "--development" {
        options.isDevelopment = true
        continue
      }
      if name == "--check" {
        options.isCheck = true
        continue
      }
      guard ["--listen", "--port", "--data", "--config", "--web"].contains(name) else {
        return .mistake("`serve` does not take `\(name)`")
      }
      guard let value = rest.popFirst() else { return .mistake("`\(name)` needs a value") }
      switch name {
      case "--listen": options.listen = value
      case "--port": options.listen = "127.0.0.1:\(value)"
      case "--data": options.data = value
      case "--config": options.config = value
      default: options.web = value
      }
    }
    return .serve(options)
  }
}

struct ServeOptions {
  var listen: String?
  var data: String?
  var config: String?
  var web: String?
  var isDevelopment = false
  /// Only reports mistakes and does not start the server.
  var isCheck = false

  static let usage = """
    fieldpass serve    run the server

      --listen ADDRESS:PORT   the address and port to listen on; with port 0 the system chooses one
      --port PORT             listen on this port of 127.0.0.1
      --data DIR              the folder of the database and the keys
      --config FILE           the configuration, one JSON file; relative paths in it start at the
                              folder of the file
      --web DIR               the web apps (default: the folder `web` beside this program)
      --development           add demo data, a development inbox and a clock for tests
      --check                 check the configuration, the certificate, secrets and folders, print
                              every mistake, and do not start
    """
}

/// A number with its noun, such as "1 account" or "2 accounts".
func counted(_ count: Int, _ noun: String) -> String {
  "\(count) \(noun)\(count == 1 ? "" : "s")"
}

/// Writes an error and a hint to standard error.
func complain(_ what: String, hint: String) {
  let text = "fieldpass: error: \(what)\nhint: \(hint)\n"
  _ = Array(text.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
}
