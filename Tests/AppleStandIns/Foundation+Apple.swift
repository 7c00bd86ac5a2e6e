// What Foundation has on Apple platforms alone; part of the stand-in for Security.

public import Foundation

extension URLResourceValues {
  public var isExcludedFromBackup: Bool? {
    get { nil }
    set {}
  }
}
