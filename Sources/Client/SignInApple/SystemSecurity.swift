#if canImport(Security)
  import Foundation
  import LocalAuthentication
  import Security
  import SignInClient

  // The thinnest layer: names of members and numbers, no decisions. It has never run on a device;
  // `Scripts/apple` checks that it compiles against the declarations it uses.

  /// The Security framework itself.
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
      case .asksNobody: (kSecUseAuthenticationContext as String, silence())
      case .asksOwner(let reason): (kSecUseAuthenticationContext as String, prompt(reason))
      }
    }

    private static func constant(_ accessibility: KeychainAttribute.Accessibility) -> CFString {
      switch accessibility {
      case .afterFirstUnlockThisDeviceOnly: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
      case .whenPasscodeSetThisDeviceOnly: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly
      }
    }

    /// Nil is refused by the keychain as a parameter: such an item is never stored open.
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
      // The app's own way in without a finger or a face is a button beside the prompt.
      context.localizedFallbackTitle = ""
      return context
    }
  }

  /// LocalAuthentication itself.
  struct SystemOwner: OwnerRecognition {
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

    /// Readable before the first unlock, and in no backup: what is restored to another device is
    /// another install.
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
    ///   - app: Tells apart what several apps of one maker keep.
    ///   - accessGroup: One of the app's keychain access groups; its own where there is none.
    package convenience init(app: String, accessGroup: String? = nil) {
      self.init(KeychainVault(app: app, accessGroup: accessGroup))
    }
  }

  extension KeychainLock {
    /// - Parameters:
    ///   - app: The same as that of the storage.
    ///   - reason: What the system says when it asks, in the person's language.
    ///   - accessGroup: The same as that of the storage.
    package convenience init(app: String, reason: String, accessGroup: String? = nil) {
      self.init(
        KeychainVault(app: app, accessGroup: accessGroup), owner: SystemOwner(), reason: reason)
    }
  }
#endif
