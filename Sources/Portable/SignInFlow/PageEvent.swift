public import SignInEngine
public import SignInModel

/// The events of an app with the forms of this module.
public typealias Event = AppEvent<PageEvent>

public typealias HomeEvent = Event.Home

/// What the person does on a page.
public enum PageEvent: Equatable, Sendable {
  case fieldEdited(FieldName, Secret)
  case buttonPressed(ButtonName)
  case passwordRevealToggled
  case bannerDismissed
}

public enum FieldName: String, Sendable, CaseIterable {
  case email
  case password
  case code
  case country
  case phone
  case notes
  case newPassword = "new_password"
  case currentPassword = "current_password"
  /// A new e-mail address or phone number.
  case contact
  case search
  case status
  case outcome
  case kind
  case client
  /// The first and the last day of a list.
  case from
  case until
  case name
  case description
  case receiver
  case policyApp = "policy_app"
  case policyValue = "policy_value"
  /// The unit of a policy value that is a time: a `TimeUnit`.
  case policyUnit = "policy_unit"
  case role
  case organizations
  /// A level and an organization, such as `viewer:north`; `viewer:` is global, `:north` removes.
  case permissions
  /// The name, address or number that a person types before an account is erased.
  case confirmation
  /// Why an account is deactivated.
  case reason
  /// The field is on every screen, outside the forms.
  ///
  /// The text is the BCP 47 tag of a language.
  case language

  public init?(rawValue: String) {
    guard let known = Self.first(named: rawValue) else { return nil }
    self = known
  }
}

public enum ButtonName: String, Sendable, CaseIterable {
  case login
  case forgotPassword = "forgot_password"
  case cancel
  case verify
  case resend
  case callInstead = "call_instead"
  case back
  case useAnotherAccount = "use_another_account"
  case tryAgain = "try_again"
  case signInAgain = "sign_in_again"
  case refresh
  case accountMenu = "account_menu"
  case signOut = "sign_out"
  case sendCode = "send_code"
  case changeNumber = "change_number"
  case signUp = "sign_up"
  /// Sign in at the provider that the item names.
  case provider
  case register
  case unlock
  case useAnotherWay = "use_another_way"
  case setLock = "set_lock"
  case removeLock = "remove_lock"
  case notNow = "not_now"
  case staySignedIn = "stay_signed_in"
  case whereSignedIn = "where_signed_in"
  case endSession = "end_session"
  case endOtherSessions = "end_other_sessions"
  case openPasswordChange = "open_password_change"
  case savePassword = "save_password"
  case openOwnAccount = "open_own_account"
  case eraseAccount = "erase_account"
  case keepAccount = "keep_account"
  case switchOrganization = "switch_organization"
  case cancelNewPassword = "cancel_new_password"
  case dismissAccountUpdate = "dismiss_news"
  case acceptAccountUpdate = "accept_news"
  case openActivity = "open_activity"
  case openItem = "open_item"
  /// Shows or hides the entries that matter last.
  case toggleFold = "toggle_fold"
  /// The item is a status.
  case setStatus = "set_status"
  case saveNotes = "save_notes"
  case consoleTab = "console_tab"
  case openAccount = "open_account"
  /// Shows an event or a message beside its list.
  case openRecord = "open_record"
  /// Reads older events and messages of the open account.
  case readHistory = "read_history"
  /// Selects an account, or no longer.
  case toggleAccount = "toggle_account"
  /// Selects all listed accounts, or none.
  case toggleAccounts = "toggle_accounts"
  case approveSelected = "approve_selected"
  case accountAction = "account_action"
  case confirm
  case editAccount = "edit_account"
  case saveAccount = "save_account"
  case toggleOrganization = "toggle_organization"
  case newAccount = "new_account"
  /// Saves the list with its filters as a table.
  case exportList = "export_list"
  case readMore = "read_more"
  case openPolicy = "open_policy"
  case openValue = "open_value"
  case saveValue = "save_value"
  case restoreValue = "restore_value"
  /// Shows only the values of a policy that differ, or all.
  case toggleDiffering = "toggle_differing"
  case clearSearch = "clear_search"
  case openProduct = "open_product"
  /// The item is the status of the products to show.
  case filterProducts = "filter_products"
  case raiseRequest = "raise_request"
  case sendRequest = "send_request"
  case transferOwnership = "transfer_ownership"
  case continueTransfer = "continue_transfer"
  case confirmTransfer = "confirm_transfer"

  public init?(rawValue: String) {
    guard let known = Self.first(named: rawValue) else { return nil }
    self = known
  }
}

extension PageEvent: PageInput {
  public typealias Output = Announcement
  public typealias Button = ButtonName

  public var intent: PageIntent? {
    switch self {
    case .fieldEdited(.language, let tag): .chooseLanguage(Language(rawValue: tag.revealed))
    case .buttonPressed(let button): button.intent
    case .bannerDismissed: .dismissNotice
    case .fieldEdited, .passwordRevealToggled: nil
    }
  }

  public var closesMenu: Bool { if case .buttonPressed = self { true } else { false } }

  public static func intent(pressing button: ButtonName, of item: String) -> PageIntent? {
    switch button {
    case .provider: .signInAtProvider(item)
    case .switchOrganization: .session(.switchOrganization(OrganizationID(item)))
    default: nil
    }
  }
}

extension ButtonName {
  fileprivate var intent: PageIntent? {
    switch self {
    case .tryAgain: .session(.tryAgain)
    case .signInAgain: .signInAgain
    case .cancel: .cancel
    case .unlock: .session(.unlock)
    case .useAnotherWay: .session(.signInInstead)
    case .signOut: .session(.signOut)
    case .setLock: .session(.setLock)
    case .removeLock: .session(.removeLock)
    case .notNow: .declineLock
    case .staySignedIn: .session(.staySignedIn)
    case .cancelNewPassword: .reply(.cancelPassword)
    case .dismissAccountUpdate: .reply(.dismiss)
    case .acceptAccountUpdate: .reply(.accept)
    case .accountMenu: .toggleMenu
    case .whereSignedIn: .openSessions
    case .back: .goBack
    default: nil
    }
  }
}
