/// How much a run measures.
struct BenchSize {
  let phaseSeconds: Double
  var riderSignIns = RiderLoad.standardSignIns
  var restarts = 5
  /// The phones whose requests wait for account updates.
  var streamSessions = 1250
  var streamIdleSeconds = 10
  /// The loads that are tried to find the one that fits.
  var busyTries = 8
  var enumerationSamples = 500
  var messageRounds = 2
  /// How long codes are requested in each case.
  var providerSeconds = 10
  var identityProviderRounds = 5
  /// The imported accounts, at most as many as one import accepts.
  var importedAccounts = 100_000
  var consoleRequests = 100
  var consoleRounds = 6

  init(phaseSeconds: Double) { self.phaseSeconds = phaseSeconds }

  /// `nil` if the text is neither a number of seconds nor `short`.
  init?(text: String) {
    if text == "short" {
      self = .short
    } else {
      guard let seconds = Double(text), seconds > 0 else { return nil }
      self.init(phaseSeconds: seconds)
    }
  }

  /// The same measurements, with too little of each for figures.
  ///
  /// It shows that no measurement is broken.
  static let short: BenchSize = {
    var size = BenchSize(phaseSeconds: 0.4)
    size.riderSignIns = RiderLoad.people
    size.restarts = 1
    size.streamSessions = 40
    size.streamIdleSeconds = 1
    size.busyTries = 2
    size.enumerationSamples = 20
    size.messageRounds = 1
    size.providerSeconds = 2
    size.identityProviderRounds = 1
    size.importedAccounts = 1000
    size.consoleRequests = 5
    size.consoleRounds = 2
    return size
  }()
}
