import Glibc
import SignInHTTP

// Puts the pieces together; every decision is elsewhere.
switch Command(CommandLine.arguments.dropFirst()) {
case .serve(let options): exit(Serving.run(options))
case .account(let command): exit(Administering.run(command))
case .openAPI:
  print(OpenAPI.text, terminator: "")
case .events(let options): exit(EventsCommand.run(options))
case .messages(let options): exit(MessagesCommand.run(options))
case .keys(let options): exit(KeysCommand.run(options))
case .backup(let options): exit(BackupCommand.run(options))
case .restore(let options): exit(RestoreCommand.run(options))
case .dataImport(let options): exit(ImportCommand.run(options))
case .demo(let options): exit(DemoCommand.run(options))
case .help(let usage):
  print(usage)
case .version:
  print("fieldpass \(Command.versionNumber)")
case .mistake(let what):
  complain(what, hint: "run `fieldpass help` to see what it takes")
  exit(ExitStatus.misused)
}
