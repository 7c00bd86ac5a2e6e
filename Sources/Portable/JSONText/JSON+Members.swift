/// The members of an object as values; `nil` if the member is absent or of another type.
///
/// These functions are not inlined. So a caller does not copy and destroy the JSON of the member,
/// which makes the web cores smaller.
extension JSON {
  @inline(never) public func text(_ key: String) -> String? { self[key]?.text }
  @inline(never) public func flag(_ key: String) -> Bool? { self[key]?.flag }
  @inline(never) public func elements(_ key: String) -> [JSON]? { self[key]?.elements }
  @inline(never) public func count(_ key: String) -> Int64? { self[key]?.count }
  @inline(never) public func seconds(_ key: String) -> Int64? { self[key]?.seconds }
  @inline(never) public func unixSeconds(_ key: String) -> Int64? { self[key]?.unixSeconds }
  @inline(never) public func unixMilliseconds(_ key: String) -> Int64? {
    self[key]?.unixMilliseconds
  }
}
