import ProviderClient
import SignInService
import SignInWire
import SystemPorts
import Threads

/// `fieldpass provider check`: checks identity providers by calling them.
enum ProviderCommand {
  struct Options {
    /// Nil for all providers of the configuration.
    var name: String?
    var config = ""
    /// Whether providers may be on this machine.
    var isDevelopment = false

    static func parse(_ arguments: ArraySlice<String>) -> Result<Options, CommandMistake> {
      var options = Options()
      var rest = arguments
      guard rest.popFirst() == "check" else {
        return .failure(CommandMistake("`provider` takes `check`"))
      }
      while let word = rest.popFirst() {
        switch word {
        case "--development": options.isDevelopment = true
        case "--config":
          guard let path = rest.popFirst() else {
            return .failure(CommandMistake("`--config` needs a value"))
          }
          options.config = path
        case let name where !name.hasPrefix("-") && options.name == nil: options.name = name
        default: return .failure(CommandMistake("`provider check` does not take `\(word)`"))
        }
      }
      guard !options.config.isEmpty else {
        return .failure(CommandMistake("`provider check` needs `--config`"))
      }
      return .success(options)
    }
  }

  static let usage = """
    fieldpass provider check [NAME]  check the metadata and keys of an identity provider, and
                               whether it accepts this server's client; without NAME, all providers

      --config FILE           the server's configuration
      --development           allow providers on this machine

    """

  /// Returns the exit status.
  static func run(_ options: Options) -> Int32 {
    do throws(StartFault) {
      let configuration = try ServerSettings.read(
        options.config, isDevelopment: options.isDevelopment)
      let providers = try chosen(options, from: try ProviderFiles.providers(configuration))
      let client = ProviderClient(isDevelopment: options.isDevelopment)
      defer { client.stop() }
      let issuer = configuration.issuer ?? "http://127.0.0.1:8080"
      let reports = BlockingCall.run { await check(providers, issuer: issuer, client) }
      for line in reports.flatMap(\.lines) { LineWriter.standardOutput.write(line) }
      return reports.contains { $0.hasMistakes } ? ExitStatus.failed : ExitStatus.done
    } catch {
      for (what, hint) in error.complaints { complain(what, hint: hint) }
      return ExitStatus.failed
    }
  }

  private struct Report: Sendable {
    let lines: [String]
    let hasMistakes: Bool
  }

  private static func chosen(
    _ options: Options, from providers: [IdentityProvider]
  ) throws(StartFault) -> [IdentityProvider] {
    guard let name = options.name else {
      guard !providers.isEmpty else {
        throw StartFault(
          "the configuration has no providers", hint: "add them under `providers`")
      }
      return providers
    }
    guard let provider = providers.first(where: { $0.name == name }) else {
      let names = providers.map { "`\($0.name)`" }.joined(separator: ", ")
      throw StartFault(
        "there is no provider `\(name)`",
        hint: names.isEmpty ? "add it under `providers`" : "write one of \(names)")
    }
    return [provider]
  }

  private static func check(
    _ providers: [IdentityProvider], issuer: String, _ client: ProviderClient
  ) async -> [Report] {
    let clock = MachineClock()
    let directory = ProviderDirectory(providers, calls: client, store: nil, clock: clock)
    var reports: [Report] = []
    for provider in providers {
      let steps = await checkProvider(
        provider, redirectURI: issuer + Endpoint.providerCallback(.init(provider.name)).path,
        in: directory, randomness: SystemRandomness(), clock: clock)
      var lines = ["\(provider.name)"]
      for step in steps {
        lines.append("  \(step.mistakes.isEmpty ? "ok     " : "mistake") \(step.subject)")
        for mistake in step.mistakes {
          lines.append("          \(mistake.problem)")
          lines.append("          hint: \(mistake.remedy)")
        }
      }
      if steps.allSatisfy(\.mistakes.isEmpty) {
        lines.append(
          "          register this redirect URI at the provider: "
            + issuer + Endpoint.providerCallback(.init(provider.name)).path)
      }
      reports.append(Report(lines: lines, hasMistakes: steps.contains { !$0.mistakes.isEmpty }))
    }
    return reports
  }
}
