import JSONText
import SignInModel
public import SignInWire

/// The identity providers of this app, as the server named them now or in an earlier run.
///
/// They are stored, so that the next start shows them at once.
public struct ProviderMenu: Equatable, Sendable {
  /// The stored text, whose content is used only while the screen is drawn or a button is pressed.
  private(set) var text: String

  init(text: String = "") { self.text = text }

  private var json: JSON {
    do throws(JSONMalformed) { return try JSONReader.read([UInt8](text.utf8)) } catch {
      return .null
    }
  }

  /// The provider of the last sign-in is the first.
  public var providers: [AppEntry.Provider] {
    let json = json
    var providers = (json.elements(.providers) ?? []).compactMap { AppEntry.Provider(json: $0) }
    let last = json.text("last")
    if let first = providers.firstIndex(where: { $0.name == last }) {
      providers.insert(providers.remove(at: first), at: 0)
    }
    return providers
  }

  /// Whether an e-mail address without a password may lead to a provider.
  public var findsByEmail: Bool { json.flag(.providerByEmail) ?? false }

  /// The name of the provider of the last sign-in on this device.
  public var lastUsed: String? { json.text("last") }

  /// Takes the server's public information about the app.
  mutating func update(_ app: JSON) { write(app, last: lastUsed) }

  mutating func use(_ name: String) { write(json, last: name) }

  private mutating func write(_ json: JSON, last: String?) {
    // An app without providers stores nothing.
    if json[.providers] == nil, last == nil {
      text = ""
      return
    }
    let members = JSON.members([
      json[.providers].map { JSONMember(.providers, $0) },
      json[.providerByEmail].map { JSONMember(.providerByEmail, $0) },
      JSONMember("last", ifPresent: last),
    ])
    text = String(decoding: members.utf8, as: UTF8.self)
  }
}
