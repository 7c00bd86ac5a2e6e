import SQLStore

extension ServerLock {
  /// Takes the lock on a data folder for a server, or for a command that needs exclusive use of the
  /// folder.
  ///
  /// Throws with the reason if it is not possible.
  static func taken(on data: String) throws(StartFault) -> ServerLock {
    do throws(ServerLockFault) { return try ServerLock(directory: data) } catch {
      switch error {
      case .held(let process):
        let name = process.map { " (process \($0))" } ?? ""
        throw StartFault(
          "another server\(name) uses `\(data)`",
          hint: "stop it first, or name another folder with --data"
        )
      case .unusable(let why):
        throw StartFault(why, hint: "name a folder that this user may write")
      }
    }
  }
}
