import SignInModel
import SignInService

/// Creates the service accounts of a configuration.
///
/// It reads their secrets and keys, and reports the mistakes of all of them in one fault.
enum ServiceAccountFiles {
  static func accounts(
    _ configuration: Configuration
  ) throws(StartFault) -> [ServiceAccount] {
    var accounts: [ServiceAccount] = []
    var complaints: [(what: String, hint: String)] = []
    for account in configuration.serviceAccounts {
      do throws(StartFault) {
        accounts.append(
          ServiceAccount(
            id: account.id, name: account.name, scopes: account.scopes,
            organization: account.organization, credential: try credential(of: account),
            audiences: account.audiences
          ))
      } catch {
        complaints += error.complaints
      }
    }
    if !complaints.isEmpty { throw StartFault(complaints) }
    return accounts
  }

  private static func credential(
    of account: Configuration.ServiceAccount
  ) throws(StartFault) -> ServiceAccount.Credential {
    let owner = "service account `\(account.id.text)`"
    switch account.credential {
    case .secret(let place):
      let secret = try place.read(for: owner)
      do throws(ServiceCredentialMistake) {
        return try ServiceAccount.Credential(secret: secret)
      } catch {
        throw StartFault("\(owner): \(place.words) \(error.problem)", hint: error.remedy)
      }
    case .keySet(let path):
      let bytes: [UInt8]
      do throws(FileFault) { bytes = FileText.withoutMark(try Files.read(path)) } catch {
        throw StartFault("\(owner): \(error.what)", hint: error.hint)
      }
      do throws(ServiceCredentialMistake) {
        return try ServiceAccount.Credential(keySet: bytes)
      } catch {
        throw StartFault("\(owner): `\(path)` \(error.problem)", hint: error.remedy)
      }
    }
  }
}
