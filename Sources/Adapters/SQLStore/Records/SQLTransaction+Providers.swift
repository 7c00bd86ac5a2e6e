internal import SignInModel
internal import SignInService

extension SQLTransaction: ProviderDocumentRecords {
  func providerDocument(
    _ kind: ProviderDocument.Kind, of provider: String
  ) throws(StoreFault) -> ProviderDocument? {
    try connection.first(
      """
      SELECT provider, kind, url, body, fetched_at FROM provider_documents
      WHERE provider = ? AND kind = ?
      """,
      bind: {
        $0.bind(provider)
        $0.bind(kind.rawValue)
      }, read: ProviderDocument.init)
  }

  func save(_ document: ProviderDocument) throws(StoreFault) {
    try write(
      """
      INSERT INTO provider_documents (provider, kind, url, body, fetched_at)
      VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (provider, kind) DO UPDATE SET
        url = excluded.url, body = excluded.body, fetched_at = excluded.fetched_at
      """
    ) {
      $0.bind(document.provider)
      $0.bind(document.kind.rawValue)
      $0.bind(document.url)
      $0.bind(document.body)
      $0.bind(document.fetchedAt)
    }
  }
}

extension ProviderDocument {
  fileprivate init(_ row: inout Row) throws(StoreFault) {
    self.init(
      provider: row.text(), kind: try row.word(), url: row.text(), body: row.bytes(),
      fetchedAt: row.moment())
  }
}
