internal import SignInService

extension MemoryTransaction: ProviderDocumentRecords {
  func providerDocument(
    _ kind: ProviderDocument.Kind, of provider: String
  ) -> ProviderDocument? {
    tables.providerDocuments[.init(provider: provider, kind: kind)]
  }

  func save(_ document: ProviderDocument) throws(StoreFault) {
    try write { tables in
      tables.providerDocuments[.init(provider: document.provider, kind: document.kind)] = document
    }
  }
}
