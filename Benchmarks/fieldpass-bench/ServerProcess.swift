import Glibc
import JSONText
import SignInWire

/// The server as a child process, on a free port and in its own folder.
final class ServerProcess {
  struct Target: Sendable {
    let port: UInt16
    let issuer: String
    let vitals: ProcessUsage

    var processorSeconds: Double { vitals.processorSeconds }
  }

  private(set) var port: UInt16 = 0
  private var metricsPort: UInt16 = 0
  /// The seconds from the start of the process to its first line.
  private(set) var readySeconds = 0.0

  private let program: String
  private let folder: String
  private let messengers: String
  private let providers: [BenchConfiguration.Provider]
  private var process: pid_t = 0

  init(
    program: String, folder: String, messengers: String = BenchConfiguration.inbox,
    providers: [BenchConfiguration.Provider] = []
  ) {
    self.providers = providers
    self.program = program
    self.folder = folder
    self.messengers = messengers
  }

  /// The address of the server for phones, until the next start.
  var target: Target { Target(port: port, issuer: "http://127.0.0.1:\(port)", vitals: vitals) }
  var vitals: ProcessUsage { ProcessUsage(process: process) }
  var logPath: String { folder + "/server.log" }

  func start() throws(BenchFault) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw .system("cannot make a pipe") }
    let began = Stopwatch.seconds
    try serve(output: ends[1])
    close(ends[1])
    let lines = (Self.nextLine(of: ends[0]), Self.nextLine(of: ends[0]))
    close(ends[0])
    readySeconds = Stopwatch.seconds - began
    port = try Self.port(in: lines.0, after: "listening on http://")
    metricsPort = try Self.port(in: lines.1, after: "metrics on http://")
  }

  private static func port(
    in line: String, after beginning: String
  ) throws(BenchFault) -> UInt16 {
    guard let colon = line.lastIndex(of: ":"), line.hasPrefix(beginning),
      let port = UInt16(line[line.index(after: colon)...])
    else { throw BenchFault("the server did not start; it printed `\(line)`") }
    return port
  }

  /// Starts the server unless it runs, also after a measurement that failed.
  func startAgain() throws(BenchFault) {
    if process == 0 { try start() }
  }

  /// Asks the server to stop and waits for its end.
  func stop() {
    guard process > 0 else { return }
    kill(process, SIGTERM)
    var status: Int32 = 0
    waitpid(process, &status, 0)
    process = 0
  }

  /// Creates the accounts for load tests.
  func makePeople() throws(BenchFault) {
    let body = LoadAccountsBody { $0.count = Int64(LoadPerson.limit) }.json.utf8
    let reply = try HTTPConnection(port: port).send(
      "POST", Endpoint.developmentAccounts.path, fields: ["Content-Type: application/json"],
      body: body
    )
    guard reply.status == 200 else { throw BenchFault("no load accounts exist: \(reply.status)") }
  }

  var residentMebibytes: Double { vitals.residentMebibytes }
  var processorSeconds: Double { vitals.processorSeconds }

  /// The number of hashing threads, and the seconds that they have worked since the server started.
  func hashing() throws(BenchFault) -> (threads: Int, busySeconds: Double) {
    let reply = try HTTPConnection(port: metricsPort).send("GET", Endpoint.metrics.path)
    var numbers: [Substring: Double] = [:]
    for line in String(decoding: reply.body, as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ")
      if words.count == 2 { numbers[words[0]] = Double(words[1]) }
    }
    guard let threads = numbers["fieldpass_hashing_threads"],
      let busy = numbers["fieldpass_hashing_busy_milliseconds_total"]
    else { throw BenchFault("the server's metrics have no hashing threads") }
    return (Int(threads), busy / 1000)
  }

  /// Imports a list of accounts beside the running server.
  func importAccounts(_ list: String) throws(BenchFault) {
    let file = folder + "/people.csv"
    try TextFile.write(list, to: file)
    let command = try spawn(["account", "import"] + place + [file], output: STDERR_FILENO)
    var status: Int32 = 0
    waitpid(command, &status, 0)
    guard status == 0 else { throw BenchFault("the accounts were not imported") }
  }

  func makeFolder() throws(BenchFault) {
    guard mkdir(folder, 0o700) == 0 else { throw .system("cannot make `\(folder)`") }
  }

  private var configuration: String { folder + "/configuration.json" }

  /// The options that name the configuration and the data.
  private var place: [String] {
    let data = BenchConfiguration.store == nil ? ["--data", folder + "/data"] : []
    return ["--config", configuration] + data
  }

  private func serve(output: Int32) throws(BenchFault) {
    try BenchConfiguration.write(messengers, providers, to: configuration)
    let words = ["serve", "--development", "--listen", "127.0.0.1:\(port)"]
    process = try spawn(words + place, output: output)
  }

  private func spawn(_ words: [String], output: Int32) throws(BenchFault) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    posix_spawn_file_actions_addopen(
      &actions, STDERR_FILENO, logPath, O_WRONLY | O_CREAT | O_APPEND, 0o600
    )
    var pointers: [UnsafeMutablePointer<CChar>?] = ([program] + words).map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    pointers.append(nil)
    var child: pid_t = 0
    let status = posix_spawn(&child, program, &actions, nil, pointers, environ)
    guard status == 0 else {
      throw BenchFault(
        "cannot start `\(program)`: \(String(cString: strerror(status)))", hint: "run make build"
      )
    }
    return child
  }

  private static func nextLine(of file: Int32) -> String {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while read(file, &byte, 1) == 1, byte != UInt8(ascii: "\n") { line.append(byte) }
    return String(decoding: line, as: UTF8.self)
  }
}

extension ServerProcess {
  /// The resources that the process uses.
  struct ProcessUsage: Sendable {
    let process: pid_t

    /// Resident memory in MiB.
    var residentMebibytes: Double {
      for line in TextFile.lines("/proc/\(process)/status") where line.hasPrefix("VmRSS:") {
        let digits = line.filter { $0.isNumber }
        return (Double(digits) ?? 0) / 1024
      }
      return 0
    }

    /// The used processor time in seconds.
    var processorSeconds: Double {
      let text = TextFile.lines("/proc/\(process)/stat").first ?? ""
      // The name before `)` may contain spaces. User and system time are the 12th and 13th values
      // after it.
      let rest = text.split(separator: ")").last?.split(separator: " ") ?? []
      guard rest.count > 12, let user = Double(rest[11]), let system = Double(rest[12]) else {
        return 0
      }
      return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
  }
}

/// Reads small files of the system.
enum TextFile {
  static func lines(_ path: String) -> [Substring] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return [] }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 16 << 10)
    let count = read(file, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: "\n")
  }

  static func write(_ text: String, to path: String) throws(BenchFault) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .system("cannot write `\(path)`") }
    defer { close(file) }
    let bytes = Array(text.utf8)
    guard Glibc.write(file, bytes, bytes.count) == bytes.count else {
      throw .system("cannot write `\(path)`")
    }
  }

  /// The size of a file in bytes, or `nil` if it does not exist.
  static func size(_ path: String) -> Int? {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : nil
  }
}
