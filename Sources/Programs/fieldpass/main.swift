import Cryptography
import Glibc
import SignInHTTP
import SystemPorts

// The entry point: parses the command line and runs the command.

ProcessRights.protectMemory()
OpenSSLLibrary.start()
switch Command(CommandLine.arguments.dropFirst()) {
case .serve(let options): exit(ServeCommand.run(options))
case .account(let command): exit(AccountAdministration.run(command))
case .openAPI:
  print(OpenAPI.text, terminator: "")
case .events(let options): exit(EventsCommand.run(options))
case .messages(let options): exit(MessagesCommand.run(options))
case .keys(let options): exit(KeysCommand.run(options))
case .backup(let options): exit(BackupCommand.run(options))
case .restore(let options): exit(RestoreCommand.run(options))
case .migrate(let options): exit(MigrateCommand.run(options))
case .dataImport(let options): exit(ImportCommand.run(options))
case .provider(let options): exit(ProviderCommand.run(options))
case .demo(let options): exit(DemoCommand.run(options))
case .capacity(let options): exit(CapacityCommand.run(options))
case .help(let usage):
  print(usage)
case .version:
  print("fieldpass \(Command.versionNumber)")
case .mistake(let what):
  complain(what, hint: "run `fieldpass help` to see the commands and options")
  exit(ExitStatus.misused)
}
