#if canImport(Security)
  import Foundation
  import LocalAuthentication
  import Security
  import SignInClient

  // This layer only translates names and numbers, and makes no decisions. It has never run on a
  // device. `Scripts/apple` checks that it compiles against the declarations that it uses.

  /// The functions of the Security framework.
  struct SystemSecurity: SecurityFunctions {
    func copyMatching(_ query: [KeychainAttribute]) -> (status: KeychainStatus, data: [UInt8]?) {
      var found: CFTypeRef?
      let status = SecItemCopyMatching(Self.members(query) as CFDictionary, &found)
      return (KeychainStatus(status), (found as? Data).map { [UInt8]($0) })
    }

    func add(_ item: [KeychainAttribute]) -> KeychainStatus {
      KeychainStatus(SecItemAdd(Self.members(item) as CFDictionary, nil))
    }

    func update(
      _ query: [KeychainAttribute], to change: [KeychainAttribute]
    ) -> KeychainStatus {
      KeychainStatus(
        SecItemUpdate(Self.members(query) as CFDictionary, Self.members(change) as CFDictionary)
      )
    }

    func delete(_ query: [KeychainAttribute]) -> KeychainStatus {
      KeychainStatus(SecItemDelete(Self.members(query) as CFDictionary))
    }

    private static func members(_ attributes: [KeychainAttribute]) -> [String: Any] {
      var members: [String: Any] = [:]
      for attribute in attributes {
        let (name, value) = member(attribute)
        members[name] = value
      }
      return members
    }

    private static func member(_ attribute: KeychainAttribute) -> (String, Any) {
      switch attribute {
      case .genericPassword: (kSecClass as String, kSecClassGenericPassword)
      case .service(let service): (kSecAttrService as String, service)
      case .account(let account): (kSecAttrAccount as String, account)
      case .accessGroup(let group): (kSecAttrAccessGroup as String, group)
      case .accessible(let accessibility):
        (kSecAttrAccessible as String, constant(accessibility))
      case .biometryCurrentSet(let accessibility):
        (kSecAttrAccessControl as String, control(accessibility, .biometryCurrentSet) as Any)
      case .notSynchronizable: (kSecAttrSynchronizable as String, false)
      case .dataProtection: (kSecUseDataProtectionKeychain as String, true)
      case .data(let bytes): (kSecValueData as String, Data(bytes))
      case .returnsData: (kSecReturnData as String, true)
      case .matchesOne: (kSecMatchLimit as String, kSecMatchLimitOne)
      case .failsInsteadOfPrompt: (kSecUseAuthenticationContext as String, silence())
      case .showsPrompt(let reason): (kSecUseAuthenticationContext as String, prompt(reason))
      }
    }

    private static func constant(_ accessibility: KeychainAttribute.Accessibility) -> CFString {
      switch accessibility {
      case .afterFirstUnlockThisDeviceOnly: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
      case .whenPasscodeSetThisDeviceOnly: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly
      }
    }

    /// If the result is `nil`, the keychain refuses the item.
    ///
    /// So an item is never stored unprotected.
    static func control(
      _ accessibility: KeychainAttribute.Accessibility, _ flags: SecAccessControlCreateFlags
    ) -> SecAccessControl? {
      SecAccessControlCreateWithFlags(nil, constant(accessibility), flags, nil)
    }

    private static func silence() -> LAContext {
      let context = LAContext()
      context.interactionNotAllowed = true
      return context
    }

    private static func prompt(_ reason: String) -> LAContext {
      let context = LAContext()
      context.localizedReason = reason
      // The app has its own button for a sign-in without biometrics, so the prompt needs none.
      context.localizedFallbackTitle = ""
      return context
    }
  }

  /// The functions of LocalAuthentication.
  struct SystemOwner: UserVerification {
    func check() -> OwnerCheck {
      let context = LAContext()
      var error: NSError?
      if context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: &error) {
        return .possible(enrolment: context.evaluatedPolicyDomainState.map { [UInt8]($0) } ?? [])
      }
      return error?.code == LAError.Code.biometryLockout.rawValue ? .lockedOut : .impossible
    }
  }

  extension KeychainVault {
    fileprivate init(app: String, accessGroup: String?) {
      let folder = URL(fileURLWithPath: NSHomeDirectory(), isDirectory: true)
        .appendingPathComponent("Library/Application Support/fieldpass-\(app)")
      self.init(
        service: "fieldpass.\(app)", accessGroup: accessGroup, security: SystemSecurity(),
        marker: MarkerFile(folder: folder, protect: Self.protect)
      )
    }

    /// Makes the file readable before the first unlock, and excludes the folder from backups.
    ///
    /// A device that is restored from a backup is another installation.
    private static func protect(file: URL, folder: URL) throws {
      try FileManager.default.setAttributes(
        [.protectionKey: FileProtectionType.none], ofItemAtPath: file.path
      )
      var place = folder
      var values = URLResourceValues()
      values.isExcludedFromBackup = true
      try place.setResourceValues(values)
    }
  }

  extension KeychainStorage {
    /// - Parameters:
    ///   - app: A name that is different for each app of one developer.
    ///   - accessGroup: A keychain access group of the app. Without it, the app's own group is
    ///     used.
    package convenience init(app: String, accessGroup: String? = nil) {
      self.init(KeychainVault(app: app, accessGroup: accessGroup))
    }
  }

  extension KeychainLock {
    /// - Parameters:
    ///   - app: The same name as for the storage.
    ///   - reason: The text of the prompt, in the person's language.
    ///   - accessGroup: The same group as for the storage.
    package convenience init(app: String, reason: String, accessGroup: String? = nil) {
      self.init(
        KeychainVault(app: app, accessGroup: accessGroup), owner: SystemOwner(), reason: reason)
    }
  }
#endif
