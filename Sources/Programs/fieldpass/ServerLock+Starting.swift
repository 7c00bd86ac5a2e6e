import SQLiteStore

extension ServerLock {
  /// The lock on a data folder, or why a server or a command that needs it alone cannot start.
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
