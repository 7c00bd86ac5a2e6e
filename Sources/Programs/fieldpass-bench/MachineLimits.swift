import CSQLite
import Cryptography
import Glibc
import SignInWire

/// What this machine can do at most, each measured alone: nothing built on it can be faster.
struct MachineLimits {
  let cores: Int
  /// All cores together, per second.
  let passwordVerifications: Double
  /// One verification with nothing beside it: cores share the memory that Argon2id fills.
  let passwordVerificationSeconds: Double
  let signatures: Double
  let signatureVerifications: Double
  /// One writer, `synchronous=FULL`, per second.
  let commits: Double
  /// Operations per second when 32 share one commit.
  let groupedOperations: Double

  static let groupSize = 32

  static func measure(folder: String, seconds: Double) throws(BenchFault) -> MachineLimits {
    let cores = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    let hash = madeHash()
    let key = SigningKey.generate()
    let text = [UInt8](repeating: 0x61, count: 300)
    let signature = key.sign(text)
    let alone = try Crowd.rate(threads: 1, seconds: seconds / 2) { _ in
      precondition(isRight(hash))
    }
    return MachineLimits(
      cores: cores,
      passwordVerifications: try Crowd.rate(threads: cores, seconds: seconds) { _ in
        precondition(isRight(hash))
      },
      passwordVerificationSeconds: 1 / alone,
      signatures: try Crowd.rate(threads: cores, seconds: seconds) { _ in _ = key.sign(text) },
      signatureVerifications: try Crowd.rate(threads: cores, seconds: seconds) { _ in
        precondition(key.publicKey.verifies(signature, of: text))
      },
      commits: try commits(folder + "/alone.db", group: 1, seconds: seconds),
      groupedOperations: try commits(folder + "/grouped.db", group: groupSize, seconds: seconds)
    )
  }

  private static func madeHash() -> String {
    do throws(PasswordHashFault) { return try PasswordHash.make(LoadPerson.password) } catch {
      preconditionFailure("no memory for one password hash")
    }
  }

  private static func isRight(_ hash: String) -> Bool {
    do throws(PasswordHashFault) {
      return try PasswordHash.matches(LoadPerson.password, hash)
    } catch {
      preconditionFailure("no memory for one password hash")
    }
  }

  private static func commits(
    _ path: String, group: Int, seconds: Double
  ) throws(BenchFault) -> Double {
    let database = try Database(path)
    try database.run("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL")
    try database.run("CREATE TABLE IF NOT EXISTS entry(id INTEGER PRIMARY KEY, body BLOB)")
    let began = Stopwatch.seconds
    var operations = 0
    while Stopwatch.seconds - began < seconds {
      try database.run("BEGIN IMMEDIATE")
      for _ in 0..<group { try database.run("INSERT INTO entry(body) VALUES (zeroblob(200))") }
      try database.run("COMMIT")
      operations += group
    }
    return Double(operations) / (Stopwatch.seconds - began)
  }
}

extension MachineLimits {
  /// The better of each two figures.
  func best(with other: MachineLimits) -> MachineLimits {
    MachineLimits(
      cores: cores,
      passwordVerifications: max(passwordVerifications, other.passwordVerifications),
      passwordVerificationSeconds: min(
        passwordVerificationSeconds, other.passwordVerificationSeconds
      ),
      signatures: max(signatures, other.signatures),
      signatureVerifications: max(signatureVerifications, other.signatureVerifications),
      commits: max(commits, other.commits),
      groupedOperations: max(groupedOperations, other.groupedOperations)
    )
  }

  /// Calls per second if the server did nothing but what they cannot do without: verify a proof,
  /// make a commit, sign tokens.
  ///
  /// `commits` is how many durable commits the machine makes in a second, or how many operations
  /// when many share one.
  func rate(of call: Phone.Call, commits: Double) -> Double {
    var seconds = 1 / signatureVerifications + 1 / commits
    // An access token and an ID token.
    if call == .token { seconds += 2 / signatures }
    return 1 / seconds
  }

  /// The seconds of work that a call cannot do without on an idle machine, where one bare HTTP
  /// request takes `request` seconds.
  func unavoidableSeconds(of call: Phone.Call, request: Double) -> Double {
    let proof = Double(cores) / signatureVerifications
    let signature = Double(cores) / signatures
    let commit = 1 / commits
    switch call {
    // Counted before it is compared, and settled after.
    case .password: return request + proof + passwordVerificationSeconds + 2 * commit
    case .request, .code: return request + proof + commit
    // An access token and an ID token.
    case .token: return request + proof + commit + 2 * signature
    // The access token's own signature, and the proof beside it.
    case .jobs: return request + 2 * proof
    }
  }
}

/// Just enough of SQLite to know how fast it is here.
private final class Database {
  private var handle: OpaquePointer?

  init(_ path: String) throws(BenchFault) {
    guard sqlite3_open(path, &handle) == SQLITE_OK else {
      throw BenchFault("SQLite cannot open `\(path)`", hint: "check that the disk has room")
    }
  }

  deinit { sqlite3_close(handle) }

  func run(_ statements: String) throws(BenchFault) {
    guard sqlite3_exec(handle, statements, nil, nil, nil) == SQLITE_OK else {
      throw BenchFault(
        "SQLite: \(String(cString: sqlite3_errmsg(handle)))", hint: "check that the disk has room"
      )
    }
  }
}
