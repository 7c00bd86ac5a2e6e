internal import SignInModel
public import SignInWire

/// Pictures of two points, a red and a blue one, without metadata.
///
/// They do not change when they are decoded and written again.
public enum SamplePicture {
  public static func content(_ format: PhotoFormat) -> [UInt8] {
    switch format {
    case .jpeg: bytes(jpeg)
    case .png: bytes(png)
    case .webp: bytes(webp)
    }
  }

  /// A WebP picture that is stored without loss.
  public static var losslessWebP: [UInt8] { bytes(lossless) }

  private static func bytes(_ text: String) -> [UInt8] {
    do throws(Malformed) { return try Base64URL.decode(text) } catch {
      preconditionFailure("a sample picture must be base64url")
    }
  }

  private static let jpeg = """
    _9j_4AAQSkZJRgABAQAAAQABAAD_2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQ\
    DQ4RDgsLEBYQERMUFRUVDA8XGBYUGBIUFRT_2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQUFBQUFBQU\
    FBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBT_wAARCAABAAIDASIAAhEBAxEB_8QAFQABAQAAAAAA\
    AAAAAAAAAAAAAAj_xAAbEAEAAAcAAAAAAAAAAAAAAAAAAQMFBjV0sv_EABUBAQEAAAAAAAAAAAAAAAAAAAUJ\
    _8QAGxEAAAcBAAAAAAAAAAAAAAAAAAECBAU1c7L_2gAMAwEAAhEDEQA_AIHuHP1LZm9xAU2galpmjkgBNWbr\
    RfRj_9k
    """
  private static let png = """
    iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAD0In-KAAAAAXNSR0IArs4c6QAAABFJREFUCJlj-M_A8J-B\
    4X8DAA96A34VJj3UAAAAAElFTkSuQmCC
    """
  private static let webp = """
    UklGRlwAAABXRUJQVlA4WAoAAAAQAAAAAQAAAAAAQUxQSAMAAAAA_4AAVlA4IDIAAADQAQCdASoCAAEAAMAS\
    JaACdAEO_gPIAAD-_xGiKqoKEtQUSf_qdP__U6f_-p0_-nOAAA
    """
  private static let lossless = """
    UklGRiAAAABXRUJQVlA4TBMAAAAvAQAAEA8Q-z__D_yPChWI6H8AAA
    """
}
