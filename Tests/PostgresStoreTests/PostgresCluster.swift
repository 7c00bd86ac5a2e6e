import Foundation
import Glibc
import SignInModel
import Synchronization

@testable import SQLStore

/// A real PostgreSQL server for all tests of this process.
///
/// It starts with the first test, and ends when this process ends.
struct PostgresCluster: Sendable {
  static let shared = Result { try PostgresCluster() }
  static let password = "correct-password"
  private static let schemaCount = Mutex(0)

  struct StartFault: Error {
    let reason: String
  }

  /// The folder with the socket and the certificates.
  let folder: String
  let port: Int64

  private init() throws {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("postgres-server").path
    // Both ends stay open until this process ends.
    let (input, output) = (try Self.pipe(), try Self.pipe())
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input.reading, 0)
    posix_spawn_file_actions_adddup2(&actions, output.writing, 1)
    var process = pid_t()
    let name = strdup(script)
    defer { free(name) }
    let status = posix_spawn(&process, script, &actions, nil, [name, nil], environ)
    close(input.reading)
    close(output.writing)
    guard status == 0 else { throw StartFault(reason: "the script cannot be started") }
    let line = Self.line(from: output.reading)
    let words = line.split(separator: " ")
    guard words.count == 2, let port = Int64(words[0]) else {
      throw StartFault(reason: "the server did not start: \(line)")
    }
    self.port = port
    folder = String(words[1])
  }

  /// A server with an empty schema, over the socket.
  func emptySchema() -> PostgresServer {
    let number = Self.schemaCount.withLock { count in
      count += 1
      return count
    }
    return server(schema: "test_\(number)")
  }

  func server(
    host: String? = nil, user: String = "fieldpass", password: String = Self.password,
    encryption: PostgresServer.Encryption = .none, schema: String = "fieldpass"
  ) -> PostgresServer {
    var server = PostgresServer(
      host: host ?? folder, port: port, database: "postgres",
      credential: .init(user: user, readPassword: { Secret(password) }), encryption: encryption)
    server.schema = schema
    return server
  }

  private static func pipe() throws -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [0, 0]
    // The child must not keep the ends of this process open.
    guard Glibc.pipe(&ends) == 0 else { throw StartFault(reason: "there is no pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  private static func line(from file: Int32) -> String {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while read(file, &byte, 1) == 1, byte != UInt8(ascii: "\n") { bytes.append(byte) }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension PostgresLimits {
  /// Few connections, so that many stores fit into one server.
  static let small: PostgresLimits = {
    var limits = PostgresLimits()
    limits.deciders = 4
    limits.readers = 1
    limits.outageMilliseconds = 20
    return limits
  }()
}
