import CSQLite
import Cryptography
import Glibc
import SignInWire

/// The maximum rates of this machine, each measured alone.
///
/// Nothing on it can be faster.
struct MachineLimits {
  let cores: Int
  /// Per second, on all cores together.
  let passwordVerifications: Double
  /// The time of one verification without other work.
  ///
  /// The cores share the memory that Argon2id fills.
  let passwordVerificationSeconds: Double
  let signatures: Double
  let signatureVerifications: Double
  /// Per second, with one writer and `synchronous=FULL`.
  let commits: Double
  /// Operations per second if 32 share one commit.
  let groupedOperations: Double

  static let groupSize = 32

  static func measure(folder: String, seconds: Double) throws(BenchFault) -> MachineLimits {
    let cores = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    let hash = madeHash()
    let key = SigningKey.generate()
    let text = [UInt8](repeating: 0x61, count: 300)
    let signature = key.sign(text)
    let alone = try ParallelLoad.rate(threads: 1, seconds: seconds / 2) { _ in
      precondition(isRight(hash))
    }
    return MachineLimits(
      cores: cores,
      passwordVerifications: try ParallelLoad.rate(threads: cores, seconds: seconds) { _ in
        precondition(isRight(hash))
      },
      passwordVerificationSeconds: 1 / alone,
      signatures: try ParallelLoad.rate(threads: cores, seconds: seconds) { _ in _ = key.sign(text)
      },
      signatureVerifications: try ParallelLoad.rate(threads: cores, seconds: seconds) { _ in
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
  /// The better value of each figure.
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

  /// The maximum calls per second if the server did only the necessary work: verify a proof,
  /// commit, and sign tokens.
  ///
  /// `commits` is the number of durable commits per second, or of operations if many share a
  /// commit.
  func rate(of call: Phone.Call, commits: Double) -> Double {
    var seconds = 1 / signatureVerifications + 1 / commits
    // An access token and an ID token.
    if call == .token { seconds += 2 / signatures }
    return 1 / seconds
  }

  /// The seconds of necessary work of a call on an idle machine, where one bare HTTP request takes
  /// `request` seconds.
  func unavoidableSeconds(of call: Phone.Call, request: Double) -> Double {
    let proof = Double(cores) / signatureVerifications
    let signature = Double(cores) / signatures
    let commit = 1 / commits
    switch call {
    // The attempt is counted before the comparison and settled after it.
    case .password: return request + proof + passwordVerificationSeconds + 2 * commit
    case .request, .code: return request + proof + commit
    // An access token and an ID token.
    case .token: return request + proof + commit + 2 * signature
    // One verification is for the access token's signature, the other for the proof.
    case .jobs: return request + 2 * proof
    }
  }
}

/// The part of SQLite that is needed to measure its speed.
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
