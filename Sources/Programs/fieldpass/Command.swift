import Glibc
import SignInHTTP
import SignInService

/// What the command line asks for.
enum Command {
  case serve(ServeOptions)
  case account(AccountCommand)
  /// Prints the OpenAPI document.
  case openAPI
  case events(EventsCommand.Options)
  case messages(MessagesCommand.Options)
  case keys(KeysCommand.Options)
  case demo(DemoCommand.Options)
  case help
  case version
  case mistake(String)

  static let versionNumber = OpenAPI.version

  static let usage = """
    fieldpass serve    run the server

      --listen ADDRESS:PORT   where to listen; port 0 lets the system choose
      --port PORT             the port alone, on 127.0.0.1
      --data DIR              where the database and the keys are kept
      --config FILE           the configuration, one JSON file
      --web DIR               the web apps (default: the folder `web` beside this program)
      --development           demo data, a development inbox and a clock for tests

    \(AccountCommand.usage)
    fieldpass events verify    check that nobody changed the security log
    fieldpass events list      show it, newest first, one JSON object a line

      --data DIR              the server's data folder (default: .data)
      --account ID            only what concerns this account
      --limit N               at most so many events (default: \(EventLimits.listed))

    \(MessagesCommand.usage)

    \(KeysCommand.usage)
    \(DemoCommand.usage)
    fieldpass openapi  print the OpenAPI document of the HTTP interface
    fieldpass help     show this
    fieldpass version  show the version

    \(ExitStatus.usage)
    """

  init(_ arguments: ArraySlice<String>) {
    switch arguments.first {
    case nil, "help", "--help", "-h": self = .help
    case "version", "--version": self = .version
    case "openapi": self = .openAPI
    case "account": self = AccountCommand.read(arguments.dropFirst())
    case "serve": self = Self.serve(arguments.dropFirst())
    case "events":
      switch EventsCommand.Options.parse(arguments.dropFirst()) {
      case .success(let options): self = .events(options)
      case .failure(let mistake): self = .mistake(mistake.what)
      }
    case "messages":
      switch MessagesCommand.Options.parse(arguments.dropFirst()) {
      case .success(let options): self = .messages(options)
      case .failure(let mistake): self = .mistake(mistake.what)
      }
    case "demo":
      switch DemoCommand.Options.parse(arguments.dropFirst()) {
      case .success(let options): self = .demo(options)
      case .failure(let mistake): self = .mistake(mistake.what)
      }
    case "keys":
      switch KeysCommand.Options.parse(arguments.dropFirst()) {
      case .success(let options): self = .keys(options)
      case .failure(let mistake): self = .mistake(mistake.what)
      }
    case let other?: self = .mistake("there is no command `\(other)`")
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
}

/// Says on standard error what happened, then what to do.
func complain(_ what: String, hint: String) {
  let text = "fieldpass: error: \(what)\nhint: \(hint)\n"
  _ = Array(text.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
}
