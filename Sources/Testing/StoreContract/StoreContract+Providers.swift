internal import SignInModel
internal import SignInService

extension StoreContract {
  static var providers: [Check] {
    [
      Check(
        name: "a provider has one document of each kind", isKept: documentsOfProviders)
    ]
  }

  private static func documentsOfProviders(_ store: any Store) async throws {
    func document(
      _ provider: String, _ kind: ProviderDocument.Kind, _ body: String, at seconds: Int64
    ) -> ProviderDocument {
      ProviderDocument(
        provider: provider, kind: kind, url: "https://\(provider).example/\(kind.rawValue)",
        body: Array(body.utf8), fetchedAt: Examples.start.adding(seconds: seconds))
    }
    let documents = [
      document("one", .metadata, "{}", at: 0), document("one", .keys, "[]", at: 1),
      document("two", .keys, "", at: 2),
    ]
    let newer = document("one", .keys, "[1]", at: 3)
    try await store.transact { transaction throws(StoreFault) in
      for document in documents { try transaction.save(document) }
      try transaction.save(newer)
    }
    let found = try await store.read { transaction throws(StoreFault) in
      [
        try transaction.providerDocument(.metadata, of: "one"),
        try transaction.providerDocument(.keys, of: "one"),
        try transaction.providerDocument(.keys, of: "two"),
        try transaction.providerDocument(.metadata, of: "two"),
      ]
    }
    try expect(found, is: [documents[0], newer, documents[2], nil], "documents of two providers")
  }
}
