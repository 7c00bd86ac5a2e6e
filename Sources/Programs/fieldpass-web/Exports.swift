import CHost

// There is one app per page. The page calls it from one thread only, so that nothing here needs a
// lock.
nonisolated(unsafe) private var app = JSONApp()
nonisolated(unsafe) private var input: UnsafeMutableRawPointer?
nonisolated(unsafe) private var inputSize = 0
nonisolated(unsafe) private var output: [UInt8] = []

/// Memory for `size` bytes of an event.
///
/// It is valid until the next call.
@_expose(wasm, "core_input") @c(core_input)
public func coreInput(_ size: Int32) -> UnsafeMutableRawPointer {
  if let input, inputSize >= Int(size) { return input }
  input?.deallocate()
  let room = UnsafeMutableRawPointer.allocate(byteCount: Int(size), alignment: 16)
  input = room
  inputSize = Int(size)
  return room
}

/// Attaches `size` bytes, written at `core_input`, to the next event.
@_expose(wasm, "core_attach") @c(core_attach)
public func coreAttach(_ size: Int32) {
  app.attach([UInt8](UnsafeRawBufferPointer(start: input, count: Int(size))))
}

/// Handles the event of `size` bytes, written at `core_input`.
///
/// The result is the length of the output.
@_expose(wasm, "core_handle") @c(core_handle)
public func coreHandle(_ size: Int32) -> Int32 {
  output = app.handle([UInt8](UnsafeRawBufferPointer(start: input, count: Int(size))))
  return Int32(output.count)
}

/// The output of the last `core_handle`.
///
/// It is valid until the next one.
@_expose(wasm, "core_output") @c(core_output)
public func coreOutput() -> UnsafeRawPointer? {
  output.withUnsafeBytes { $0.baseAddress }
}
