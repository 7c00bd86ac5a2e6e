internal import JSONText
internal import SignInModel
internal import SignInWire

/// A sender that uses the wire contract without our app: an attacker, a script, or an honest person
/// with another app.
///
/// It follows no rules: it sends several requests at once, repeats them and reorders them.
struct SimulatedRawClient {
  enum Goal: Int {
    /// The sender knows an e-mail address and guesses passwords.
    case guessesPasswords
    /// The sender reaches the code step, by the password or by a rider's number, and guesses codes.
    case guessesCodes
    /// The sender knows the password, reads the messages and sends requests too early.
    case hurries
    /// The sender tries unknown addresses.
    case guessesNames
    /// The person reads the messages, has forgotten the password and sets another one.
    case forgets
    /// The sender knows an e-mail address, requests resets and guesses their codes.
    case guessesResets
    /// The sender registers an unknown number and does not wait for the approval.
    case registers

    static let ofTechnicians = [
      Goal.guessesPasswords, .guessesCodes, .hurries, .guessesNames, .forgets, .guessesResets,
    ]
    static let ofRiders = [Goal.guessesCodes, .hurries]
  }

  enum Sent {
    case begin, verify, resend, redeem, refresh, revoke, forgot, reset, register
  }

  let number: Int
  let goal: Goal
  let person: SimulatedPeople.Person
  let key: DeviceKey
  /// The time of its next requests.
  var movesAt = Simulation.start
  var sent: [Int: Sent] = [:]
  var lastMove = 0
  var authSessions: [String] = []
  var authorizationCodes: [String] = []
  var refreshTokens: [String] = []
  var resetSessions: [String] = []

  init(number: Int, goal: Goal, person: SimulatedPeople.Person, key: DeviceKey) {
    self.number = number
    self.goal = goal
    self.person = person
    self.key = key
  }

  mutating func received(_ answer: WireAnswer?, to move: Int) {
    guard let answer, sent[move] != nil else { return }
    if let session = answer.body["auth_session"]?.text, authSessions.last != session {
      authSessions.append(session)
    }
    if let code = answer.body["authorization_code"]?.text { authorizationCodes.append(code) }
    if let token = answer.body["refresh_token"]?.text { refreshTokens.append(token) }
    if let session = answer.body["reset_session"]?.text { resetSessions.append(session) }
  }
}
