import Threads

/// Measures the console over many accounts.
extension Bench {
  /// Measures administrators only.
  func runAdministrators() throws(BenchFault) {
    note("Load average before this run: \(Figure.fixed(Self.loadAverage, decimals: 1))")
    let administrators = try measureAdministrators()
    administrators.print()
    Bar.print(administrators.bars)
  }

  /// It has its own server, because the accounts would change other figures.
  func measureAdministrators() throws(BenchFault) -> AdministratorLoad {
    let server = ServerProcess(program: program, folder: folder + "/administrators")
    try server.makeFolder()
    defer { server.stop() }
    try server.start()
    try server.makePeople()
    note("Importing \(size.importedAccounts) accounts …")
    try AdministratorLoad.importAccounts(size.importedAccounts, into: server)
    note("Opening the overview and searching for accounts …")
    let people = Monitor<Int>(1)
    return try AdministratorLoad.measure(server.target, size) {
      () throws(BenchFault) in
      try Self.nextPerson(people)
    }
  }
}
