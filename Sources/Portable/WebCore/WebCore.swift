public import SignInScreens

/// The app of one page, and the memory through which the page gives it events and takes the output.
///
/// There is one app per page. The page calls it from one thread only, so that nothing here needs a
/// lock.
public struct WebCore<Home: HomeScreen> {
  private var app = JSONApp<Home>()
  private var input: UnsafeMutableRawPointer?
  private var inputSize = 0
  private var output: [UInt8] = []

  public init() {}

  /// Memory for `size` bytes of an event.
  ///
  /// It is valid until the next call.
  public mutating func makeInput(_ size: Int32) -> UnsafeMutableRawPointer {
    if let input, inputSize >= Int(size) { return input }
    input?.deallocate()
    let room = UnsafeMutableRawPointer.allocate(byteCount: Int(size), alignment: 16)
    input = room
    inputSize = Int(size)
    return room
  }

  /// Attaches `size` bytes of the input to the next event.
  public mutating func attach(_ size: Int32) { app.attach(bytes(size)) }

  /// Handles the event of `size` bytes of the input.
  ///
  /// - Returns: The length of the output.
  public mutating func handle(_ size: Int32) -> Int32 {
    output = app.handle(bytes(size))
    return Int32(output.count)
  }

  /// The output of the last event.
  ///
  /// It is valid until the next event.
  public var outputAddress: UnsafeRawPointer? { output.withUnsafeBytes { $0.baseAddress } }

  private func bytes(_ size: Int32) -> [UInt8] {
    [UInt8](UnsafeRawBufferPointer(start: input, count: Int(size)))
  }
}
