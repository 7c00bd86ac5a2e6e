import Foundation
import SignInClient
import SignInEngine
import SignInModel
import Synchronization

@testable import SignInLinux

/// Storage of one process in files of a folder, with the real locks between processes.
final class FileStorage: SecureStorage {
  private let folder: URL
  private let disk: BusyDisk
  private let renewals: ProcessLock
  /// `nil` if the defect of a missing lock is planted.
  private let changes: ProcessLock?
  private let isRefusing = Mutex(false)

  init(folder: URL, disk: BusyDisk, isExclusive: Bool) {
    self.folder = folder
    self.disk = disk
    renewals = ProcessLock(in: folder, for: .renewal)
    changes = isExclusive ? ProcessLock(in: folder, for: .change) : nil
  }

  /// The next write fails.
  func refuse() { isRefusing.withLock { $0 = true } }

  private func file(_ slot: StorageSlot) -> URL { folder.appending(path: slot.rawValue) }

  func read(_ slot: StorageSlot) async -> StorageReading {
    do {
      return .value(Secret(String(decoding: try Data(contentsOf: file(slot)), as: UTF8.self)))
    } catch {
      return (error as? CocoaError)?.code == .fileReadNoSuchFile ? .absent : .temporarilyUnreadable
    }
  }

  func write(_ text: Secret, to slot: StorageSlot) async throws(StorageFault) {
    await disk.wait(self)
    let isRefused = isRefusing.withLock { isRefusing in
      defer { isRefusing = false }
      return isRefusing
    }
    if isRefused { throw .failed("refused") }
    do { try Data(text.revealed.utf8).write(to: file(slot), options: .atomic) } catch {
      throw .failed("\(error)")
    }
  }

  func erase(_ slot: StorageSlot) async throws(StorageFault) {
    await disk.wait(self)
    guard await read(slot) != .absent else { return }
    do { try FileManager.default.removeItem(at: file(slot)) } catch { throw .failed("\(error)") }
  }

  func claimRenewal() async -> Bool { await renewals.claim() == .claimed }
  func releaseRenewal() async { renewals.release() }
  func claimChange() async -> Bool {
    guard let changes else { return true }
    return await changes.claim() == .claimed
  }
  func releaseChange() async { changes?.release() }
}

/// The writes of one process wait while the disk is busy for it.
actor BusyDisk {
  private var busy: FileStorage?
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func wait(_ storage: FileStorage) async {
    guard busy === storage else { return }
    await withCheckedContinuation { waiting.append($0) }
  }

  func hold(_ storage: FileStorage) { busy = storage }

  func free() {
    busy = nil
    for continuation in waiting { continuation.resume() }
    waiting = []
  }
}
