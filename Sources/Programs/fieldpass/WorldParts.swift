import SQLStore
import SignInHTTP
import SignInModel
import SignInRules
import SignInService
import SystemPorts
import Threads

/// The parts of a server from which its world is made.
struct WorldParts {
  /// The range of the random delay, in milliseconds.
  ///
  /// The lower bound is several times the usual duration of the work. The range is about a hundred
  /// times as wide as the remaining differences in duration.
  private static let answerDelayMilliseconds: ClosedRange<Int64> = 5...24

  let setting: ServerSettings
  let files: DataFiles
  let store: any OpenedStore
  let clock: MachineClock
  let signal: OutboxSignal
  let router: MessengerRouter
  let log: LineQueue

  func world(issuer: String, _ providers: ProviderDirectory?) -> World {
    World(
      issuer: issuer, clients: files.clients,
      serviceAccounts: files.serviceAccounts, pages: files.assets.apps,
      organizations: setting.configuration.organizations,
      prices: setting.configuration.prices, keyring: files.keyring, store: store,
      clock: clock, randomness: SystemRandomness(),
      passwords: PooledPasswordHashing(threads: Machine.coreCount),
      proofs: store.sharedLedger(beside: MemoryProofLedger(journal: files.proofs)),
      breachedPasswords: files.breachedPasswords, places: files.places,
      throttlesOrigins: !setting.isDevelopment,
      eventsKeptSeconds: setting.configuration.eventDays * Throttle.Limit.daySeconds,
      providers: providers, router: router,
      answerDelayMilliseconds: Self.answerDelayMilliseconds,
      messageRecorded: { [signal] in signal.wake() },
      reportFault: { [log, clock] in log.write(LogLine.fault($0, at: clock.now())) }
    )
  }
}
