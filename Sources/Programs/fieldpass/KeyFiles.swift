import Cryptography
import SignInService

/// The keys of a data folder.
///
/// They are created once and only this user can read them.
enum KeyFiles {
  /// The keys of a server's folder.
  ///
  /// Missing keys are created if the store is empty. A server of a database needs only the master
  /// key: its signing keys are in the database, or get there from its folder.
  static func keyring(of place: DataPlace) throws(StartFault) -> Keyring {
    let data = place.folder
    let plan = try plan(of: place)
    do throws(FileFault) {
      switch plan {
      case .read: break
      case .create(let missing): try create(missing, in: data)
      case .refuse(let missing): throw refusal(missing, of: place)
      }
      return try read(data)
    } catch {
      throw StartFault(error)
    }
  }

  /// The keys of a folder that a server has used.
  ///
  /// Throws if one is missing.
  static func existingKeyring(of place: DataPlace) throws(FileFault) -> Keyring {
    let missing = missingFiles(of: place)
    guard missing.isEmpty else { throw refusal(missing, of: place) }
    return try read(place.folder)
  }

  /// The keys that the store needs.
  ///
  /// Throws if the master key is missing.
  static func storeKeys(in data: String) throws(FileFault) -> StoreKeys {
    guard Files.exists(path(of: .master, in: data)) else {
      throw refusal([.master], of: DataPlace(folder: data, server: nil))
    }
    return Keyring.storeKeys(master: try master(in: data))
  }

  /// What to do about missing keys.
  ///
  /// The store of a database server is opened only if a key is missing.
  static func plan(of place: DataPlace) throws(StartFault) -> KeyPlan {
    let missing = missingFiles(of: place)
    guard place.server != nil, !missing.isEmpty else {
      return KeyPlan(missing: missing, storeHasData: hasData(place.folder))
    }
    return KeyPlan(missing: missing, storeHasData: try StoreContent.needsKeys(of: place))
  }

  static func plan(for data: String) -> KeyPlan {
    KeyPlan(missing: missingFiles(in: data), storeHasData: hasData(data))
  }

  private static func hasData(_ data: String) -> Bool { Files.hasContent(data + "/fieldpass.db") }

  static func create(_ files: [KeyFile], in data: String) throws(FileFault) {
    try Files.makePrivateDirectory(data + "/keys")
    for file in files {
      let bytes =
        switch file {
        case .master: SecureRandom.bytes(Keyring.masterByteCount)
        case .signing: Array(SigningKey.generate().pem.utf8)
        }
      try Files.createPrivate(path(of: file, in: data), bytes)
    }
  }

  private static func missingFiles(of place: DataPlace) -> [KeyFile] {
    missingFiles(in: place.folder).filter { place.server == nil || $0 == .master }
  }

  private static func missingFiles(in data: String) -> [KeyFile] {
    KeyFile.allCases.filter { !Files.exists(path(of: $0, in: data)) }
  }

  private static func refusal(_ missing: [KeyFile], of place: DataPlace) -> FileFault {
    let data = place.folder
    let names = missing.map { "`\(path(of: $0, in: data))`" }.joined(separator: " and ")
    let what =
      "the data in \(place.databaseName) was made with a key that is missing: \(names)"
    if missing.contains(.master), Files.exists(unrecordedMaster(in: data)) {
      return FileFault(
        what,
        hint: "`fieldpass keys create \(place.option) --accept-loss` was interrupted: run it again")
    }
    let source =
      place.server == nil ? "the backup that the data came from" : "another server or a backup"
    return FileFault(
      what,
      hint: "restore `\(data)/keys` from \(source); if the key is lost, "
        + "`fieldpass keys create \(place.option)` shows what a new key would lose"
    )
  }

  private static func read(_ data: String) throws(FileFault) -> Keyring {
    let decoy: String
    do throws(PasswordHashFault) {
      decoy = try PasswordHash.make(String(decoding: SecureRandom.bytes(24), as: UTF8.self))
    } catch {
      throw FileFault(
        "not enough memory for one password hash",
        hint: "give the server 64 MiB or more")
    }
    let hasSigningKey = Files.exists(path(of: .signing, in: data))
    let signing = hasSigningKey ? try signingKeys(in: data) : [.init(SigningKey.generate())]
    return Keyring(
      signing: SigningKeys(signing), master: try master(in: data), decoyPasswordHash: decoy)
  }

  static func path(of file: KeyFile, in data: String) -> String { data + "/keys/" + file.rawValue }

  /// The file of a new master key until the store records that key.
  static func unrecordedMaster(in data: String) -> String { data + "/keys/master-unrecorded.key" }

  /// The mistakes in the keys.
  ///
  /// A missing key is a mistake only if the store has data.
  static func faults(in data: String) -> [FileFault] {
    var faults: [FileFault] = []
    if case .refuse(let missing) = plan(for: data) {
      faults.append(refusal(missing, of: DataPlace(folder: data, server: nil)))
    }
    let missing = missingFiles(in: data)
    do throws(FileFault) {
      if !missing.contains(.signing) { _ = try signingKeys(in: data) }
    } catch {
      faults.append(error)
    }
    do throws(FileFault) { if !missing.contains(.master) { _ = try master(in: data) } } catch {
      faults.append(error)
    }
    return faults
  }

  static func signingKey(at path: String) throws(FileFault) -> SigningKey {
    let pem = try FileText.read(try Files.readPrivate(path), of: path)
    do throws(KeyFault) { return try SigningKey(pem: pem) } catch {
      throw FileFault("`\(path)` is not a P-256 private key", hint: "restore it from a backup")
    }
  }

  static func master(in data: String) throws(FileFault) -> [UInt8] {
    try master(at: path(of: .master, in: data))
  }

  static func master(at path: String) throws(FileFault) -> [UInt8] {
    let bytes = try Files.readPrivate(path)
    guard bytes.count == Keyring.masterByteCount else {
      throw FileFault("`\(path)` is not a master key", hint: "restore it from a backup")
    }
    return bytes
  }
}
