import HTTPServer
import ProviderClient
import SignInHTTP
import SignInModel
import SignInService
import Threads

/// Fetches the documents of the identity providers at the start and when they get old.
///
/// Each provider has its own task, so that one that does not answer delays no other.
final class ProviderWorker: Sendable {
  /// The pause between two looks at the age of the documents.
  private static let pauseMilliseconds: Int64 = 60_000

  private let tasks: [Task<Void, Never>]
  private let client: ProviderClient

  init(_ connections: ProviderConnections, clock: any Clock, log: LineQueue) {
    client = connections.client
    let directory = connections.directory
    tasks = directory.providers.map { provider in
      Task.detached {
        var reported: [String] = []
        while !Task.isCancelled {
          let found = await Self.faults(of: provider, directory)
          if found != reported {
            for fault in found {
              log.write(
                LogLine.warning("provider `\(provider.name)`: \(fault)", at: clock.now()))
            }
            if found.isEmpty {
              log.write(LogLine.info("provider `\(provider.name)` answers again", at: clock.now()))
            }
          }
          reported = found
          await clock.pause(milliseconds: Self.pauseMilliseconds)
        }
      }
    }
  }

  private static func faults(
    of provider: IdentityProvider, _ directory: ProviderDirectory
  ) async -> [String] {
    do throws(ProviderDirectory.Fault) {
      let metadata = try await directory.metadata(of: provider)
      if metadata.keysURL != nil { _ = try await directory.keys(of: provider, metadata) }
      return []
    } catch {
      switch error {
      case .unavailable(let why): return [why]
      case .misconfigured(let mistakes): return mistakes.map { "\($0.problem); \($0.remedy)" }
      }
    }
  }

  /// Cancels the calls in progress, and returns after the last use of the store.
  func stop() async {
    for task in tasks { task.cancel() }
    client.stop()
    for task in tasks { await task.value }
  }
}
