import BreachedPasswordFiles
import Glibc
import PlaceFiles
import ProofFiles
import SignInHTTP
import SignInModel
import SignInService
import SystemPorts
import TextMessengers
import Threads

/// The values that the server reads from its folders before it starts.
struct DataFiles {
  let keyring: Keyring
  let assets: WebAssets
  /// `nil` in production.
  let inbox: InboxMessenger?
  let proofs: ProofFile
  let serviceAccounts: [ServiceAccount]
  let providers: [IdentityProvider]
  /// The apps with the numbers of people who need no approval.
  let clients: [AppRegistration]
  /// `nil` if no list is configured.
  let breachedPasswords: BreachedPasswordFile?
  let places: PlaceFile?

  init(_ setting: ServerSettings, clock: MachineClock, log: LineQueue) throws(StartFault) {
    serviceAccounts = try ServiceAccountFiles.accounts(setting.configuration)
    providers = try ProviderFiles.providers(setting.configuration)
    clients = try RegistrationNumberFiles.clients(setting.configuration)
    keyring = try KeyFiles.keyring(of: setting.place)
    do throws(FileFault) {
      // The inbox shows codes without authentication, so it is not created outside development.
      inbox = setting.isDevelopment ? try Self.openInbox(in: setting.data, clock: clock) : nil
      assets = try WebFolder.load(setting.web)
      proofs = try Self.openProofs(in: setting.data, clock: clock, log: log)
      breachedPasswords = try Self.openBreachedPasswords(setting, clock: clock, log: log)
      places = try Self.openPlaces(setting.configuration)
    } catch {
      throw StartFault(error)
    }
  }

  private static func openBreachedPasswords(
    _ setting: ServerSettings, clock: MachineClock, log: LineQueue
  ) throws(FileFault) -> BreachedPasswordFile? {
    guard let path = setting.configuration.breachedPasswordsFile else { return nil }
    do throws(BreachedPasswordFault) {
      return try BreachedPasswordFile(path) {
        log.write(LogLine.fault($0, at: clock.now()))
      }
    } catch {
      throw FileFault(error)
    }
  }

  private static func openPlaces(_ configuration: Configuration) throws(FileFault) -> PlaceFile? {
    guard let path = configuration.placesFile else { return nil }
    do throws(PlaceFileFault) { return try PlaceFile(path) } catch { throw FileFault(error) }
  }

  private static func openProofs(
    in data: String, clock: MachineClock, log: LineQueue
  ) throws(FileFault) -> ProofFile {
    let folder = data + "/proofs"
    try Files.makePrivateDirectory(folder)
    do throws(ProofFileFault) {
      return try ProofFile(in: folder) {
        log.write(LogLine.fault($0, at: clock.now()))
      }
    } catch {
      throw FileFault(error.what, hint: "check that the path exists and that this user may use it")
    }
  }

  private static func openInbox(
    in data: String, clock: MachineClock
  ) throws(FileFault) -> InboxMessenger {
    let path = data + "/inbox.jsonl"
    let lines = Files.exists(path) ? try Files.read(path) : []
    let file = try LineWriter(appendingTo: path)
    return InboxMessenger(
      clock: clock,
      lines: lines.split(separator: UInt8(ascii: "\n")).map {
        String(decoding: $0, as: UTF8.self)
      },
      append: { file.write($0) },
      replace: { lines in
        guard truncate(path, 0) == 0 else { return say("cannot empty `\(path)`") }
        for line in lines { file.write(line) }
      }
    )
  }
}
