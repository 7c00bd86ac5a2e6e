public import SignInEngine
public import SignInModel

/// What a screen reader says.
public enum Announcement: Equatable, Sendable {
  /// A report of the engine.
  case report(EngineReport)
  case checkingCode
  case sendingNewCode
  case updatingJobs
  /// The person requested newer data, and it could not be read.
  ///
  /// The existing copy remains.
  case refreshFailed
  case emailMalformed
  case newCodeSent(destination: String)
  case codeRefused(attemptsLeft: Int64?)
  /// The delivery status of the message with the code.
  case delivery(DeliveryUpdate)
  case calling
  case called
  case resendPossible
  case codeExpiresSoon
  case codeExpired
  case codeSuperseded
  case codeReplaced
  case locked(until: Instant, canReset: Bool = true)
  case lockEnded
  case savingNotes
  case activitiesListed(Int64)
  case jobsListed(Int64)
  case deliveriesListed(Int64)
  case sendingCode
  /// The number does not fit the country (ISO 3166-1, two letters).
  case numberMalformed(region: String)
  /// It is not known whether the zero after the calling code belongs to the number.
  case numberZeroDoubtful
  case changingPassword
  case savingPassword
  case passwordRefused(PasswordFault)
  case currentPasswordWrong
  case ownAccount(OwnAccountMessage)
  case nameMalformed
  case countryRefused
  case registering
  case registered(number: String)
  case registrationApproved(number: String)
  /// The fields that are empty, in their order on the screen.
  case fieldsMissing([PagePart])
  /// The person typed fewer digits than the code has.
  case codeIncomplete(digits: Int64)
  case console(ConsoleAnnouncement)
  case productsListed(Int64)
  case updatingProducts
  case offlineMode
  case onlineAgain
  case needsConnection
  case sendingRequest
  case transferring
  case productFormRefused(ProductFormMistake)
  case statusNoteRefused(StatusNoteMistake)
}

/// The effects of an app with the forms of this module.
public typealias PageEffect = AppEffect<PageEvent>

extension PageEffect {
  static func announce(_ announcement: Announcement) -> Self { .page(announcement) }
}

/// Why a form about a product cannot be sent.
public enum ProductFormMistake: Equatable, Sendable {
  case noDescription, descriptionTooLong, noAddress, addressMalformed, ownAddress
}

/// Why a status cannot be set.
public enum StatusNoteMistake: Equatable, Sendable { case noNote, noteTooLong }
