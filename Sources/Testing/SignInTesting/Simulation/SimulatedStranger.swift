internal import JSONText
internal import SignInModel
internal import SignInWire

/// Somebody who speaks the wire without our app: an attacker, a script, or an honest person with an
/// app of their own.
///
/// It keeps no rule: it sends several requests at once, repeats and reorders them.
struct SimulatedStranger {
  enum Aim: Int {
    /// Knows an e-mail address and guesses passwords.
    case guessesPasswords
    /// Gets as far as a code, by the password or by a rider's number, and guesses codes.
    case guessesCodes
    /// Knows the password and reads the messages, and is in a hurry.
    case hurries
    /// Tries addresses nobody has.
    case guessesNames
    /// Reads the messages, has forgotten the password and sets another.
    case forgets
    /// Knows an e-mail address, asks for resets and guesses their codes.
    case guessesResets
    /// Has a number nobody knows, registers it, and cannot wait.
    case registers

    static let ofTechnicians = [
      Aim.guessesPasswords, .guessesCodes, .hurries, .guessesNames, .forgets, .guessesResets,
    ]
    static let ofRiders = [Aim.guessesCodes, .hurries]
  }

  enum Sent {
    case begin, verify, resend, redeem, refresh, revoke, forgot, reset, register
  }

  let number: Int
  let aim: Aim
  let person: SimulatedPeople.Person
  let key: DeviceKey
  var sent: [Int: Sent] = [:]
  var lastMove = 0
  var authSessions: [String] = []
  var authorizationCodes: [String] = []
  var refreshTokens: [String] = []
  var resetSessions: [String] = []

  init(number: Int, aim: Aim, person: SimulatedPeople.Person, key: DeviceKey) {
    self.number = number
    self.aim = aim
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
