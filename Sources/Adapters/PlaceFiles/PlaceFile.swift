internal import CMaxMind
public import SignInService
public import SignInWire

/// The reason why a file of places cannot be used, as text for the operator.
public struct PlaceFileFault: Error, Equatable, Sendable {
  public let what: String
}

/// A file in the MaxMind DB format with the town or the country of network addresses.
///
/// GeoLite2, DB-IP and IPinfo publish such files. The file stays open while the server runs and no
/// data leaves the machine.
///
/// `@unchecked Sendable`: libmaxminddb reads an open file from any number of threads.
public final class PlaceFile: PlaceDirectory, @unchecked Sendable {
  /// At one address as long as it is open, because results of searches point to it.
  private let file = UnsafeMutablePointer<MMDB_s>.allocate(capacity: 1)

  /// Opens the file.
  ///
  /// - Throws: If it cannot be read, or if it has another format.
  public init(_ path: String) throws(PlaceFileFault) {
    file.initialize(to: MMDB_s())
    let status = MMDB_open(path, UInt32(MMDB_MODE_MMAP), file)
    guard status == MMDB_SUCCESS else {
      file.pointee = MMDB_s()
      throw PlaceFileFault(
        what: "cannot read places from `\(path)`: \(String(cString: MMDB_strerror(status)))")
    }
  }

  deinit {
    MMDB_close(file)
    file.deallocate()
  }

  public func place(of address: String) -> SessionPlace? {
    defer { withExtendedLifetime(self) {} }
    var (addressFault, fault): (Int32, Int32) = (0, 0)
    var found = MMDB_lookup_string(file, address, &addressFault, &fault)
    guard addressFault == 0, fault == MMDB_SUCCESS, found.found_entry,
      let country = Self.text(in: &found.entry, at: ["country", "iso_code"])
    else { return nil }
    return SessionPlace(
      town: Self.text(in: &found.entry, at: ["city", "names", "en"]), country: country)
  }

  private static func text(in entry: inout MMDB_entry_s, at path: [StaticString]) -> String? {
    var names: [UnsafePointer<CChar>?] = path.map {
      UnsafeRawPointer($0.utf8Start).assumingMemoryBound(to: CChar.self)
    }
    names.append(nil)
    var data = MMDB_entry_data_s()
    guard MMDB_aget_value(&entry, &data, names) == MMDB_SUCCESS,
      let first = fp_mmdb_text(&data)
    else { return nil }
    let bytes = UnsafeRawBufferPointer(start: first, count: Int(data.data_size))
    return String(validating: bytes, as: UTF8.self)
  }
}
