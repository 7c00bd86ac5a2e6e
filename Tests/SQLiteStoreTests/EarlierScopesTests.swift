import CSQLite
import Foundation
import SignInModel
import SignInService
import SignInTesting
import SignInWire
import Testing

@testable import SQLStore

@Suite("Sessions from before the scope checks")
struct EarlierScopesTests {
  private let folder = TemporaryFolder()
  private let added: [Scope] = [.account, .jobs]

  @Test("L-26 an upgrade gives earlier sessions and sign-ins their app's scopes, once")
  func upgrade() async throws {
    try writeEarlier()

    let store = try SQLiteStore(directory: folder.path)
    let changed = try await grant(store)
    let again = try await grant(store)

    #expect(changed == 4 && again == 0)
    #expect(try await scope(of: "plain", store) == "openid offline_access account jobs")
    #expect(try await scope(of: "none", store) == "account jobs")
    #expect(try await scope(of: "whole", store) == "jobs openid account")
    #expect(try await scope(of: "other", store) == "openid")
    let attempt = try await store.read { transaction throws(StoreFault) in
      try transaction.signInAttempt(digest: [1])
    }
    #expect(attempt?.scope == "openid account jobs")
    store.close()
  }

  private func grant(_ store: SQLiteStore) async throws -> Int {
    let added = added
    return try await store.transact { transaction throws(StoreFault) in
      try transaction.grantEarlier(added, toClient: ClientID("app"))
    }
  }

  private func scope(of id: String, _ store: SQLiteStore) async throws -> String? {
    try await store.read { transaction throws(StoreFault) in
      try transaction.session(SessionID(id))?.scope
    }
  }

  /// Writes a database of the previous version with sessions in it.
  private func writeEarlier() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path, withIntermediateDirectories: false)
    #expect(FileManager.default.createFile(atPath: folder.database, contents: Data()))
    let raw = try RawDatabase(folder.database)
    let before = try #require(Schema.migrations.firstIndex(of: Schema.earlierScopes))
    for migration in Schema.migrations[..<before] { try raw.run(migration) }
    try raw.run("PRAGMA user_version = \(before)")
    for (id, client, scope) in [
      ("plain", "app", "openid offline_access"), ("none", "app", ""),
      ("whole", "app", "jobs openid"), ("other", "else", "openid"),
    ] {
      try raw.run(
        """
        INSERT INTO sessions (id, account, client, proof_key, scope, authentication_methods,
          started_at, expires_at, last_used_at, refresh_generation)
        VALUES ('\(id)', 'a', '\(client)', 'k', '\(scope)', 'pwd', 1, 2, 1, 0)
        """)
    }
    try raw.run(
      """
      INSERT INTO sign_in_attempts (digest, account, client, proof_key, pkce_challenge, scope,
        started_at, expires_at, progress)
      VALUES (x'01', 'a', 'app', 'k', 'c', 'openid', 1, 2, 'awaiting_code')
      """)
  }
}
