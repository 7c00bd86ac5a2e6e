import JSONText
import SignInWire
import Testing

@Suite("Photos of products")
struct ProductPhotoTests {
  private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
  private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF]
  private static let webp = Array("RIFF\u{0}\u{1}\u{2}\u{3}WEBP".utf8)

  @Test("The first bytes decide the format", arguments: PhotoFormat.allCases)
  func formats(_ format: PhotoFormat) {
    let start =
      switch format {
      case .png: Self.png
      case .jpeg: Self.jpeg
      case .webp: Self.webp
      }

    #expect(PhotoFormat(of: start) == format)
    #expect(PhotoFormat(of: start + [0, 1, 2]) == format)
    #expect(PhotoFormat(of: Array(start.dropLast())) == nil)
    #expect(PhotoFormat(of: [0x20] + start) == nil)
  }

  @Test(
    "Other content has no format",
    arguments: [
      "", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "<?xml version=\"1.0\"?><svg/>", "GIF89a",
      "RIFF\u{0}\u{1}\u{2}\u{3}WAVE", "BM", "<html>",
    ])
  func others(_ text: String) {
    #expect(PhotoFormat(of: Array(text.utf8)) == nil)
  }

  @Test(
    "The size in a list is one to the limit",
    arguments: [(0, false), (1, true), (200_000, true), (200_001, false)])
  func sizes(_ bytes: Int64, _ isRead: Bool) {
    let digest = String(repeating: "A", count: 43)
    let photo = ProductPhoto(digest: digest, bytes: bytes)

    #expect(ProductPhoto(json: photo.json) == (isRead ? photo : nil))
  }

  @Test(
    "A digest has 43 characters of base64url, because apps name stored photos by it",
    arguments: [
      (String(repeating: "a", count: 42), false), (String(repeating: "-", count: 43), true),
      (String(repeating: "_", count: 44), false), (String(repeating: "/", count: 43), false),
    ])
  func digests(_ digest: String, _ isRead: Bool) {
    #expect((ProductPhoto(json: ProductPhoto(digest: digest, bytes: 1).json) != nil) == isRead)
  }
}
